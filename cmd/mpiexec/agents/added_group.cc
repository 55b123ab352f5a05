// See agents/added_group.h.
#include "agents/added_group.h"

#include "server/complete_message.h"

#include <utility>

namespace mpiexec {

std::string AddedGroup::encode() const {
    thrum::Encoder encoder;
    encoder.put_text(name_space);
    encoder.put_text(thrum::encode_layout(layout));
    encoder.put_number(first_number);
    encoder.put_text(request.encode());
    return encoder.text();
}

AddedGroup::AddedGroup(std::string_view text) {
    thrum::Decoder decoder(text);
    name_space = decoder.take_text();
    thrum::parse_layout(decoder.take_text(), layout);
    first_number = decoder.take_int();
    const std::string encoded_request = decoder.take_text();
    require_complete(decoder);
    request.decode(encoded_request);
}

const SpawnRequest::Program &AddedGroup::program_of(int number) const {
    size_t i = 0;
    for (; number >= request.programs[i].processes; ++i)
        number -= request.programs[i].processes;
    return request.programs[i];
}

} // namespace mpiexec
