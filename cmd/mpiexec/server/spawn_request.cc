// See server/spawn_request.h.
#include "server/spawn_request.h"

#include "server/complete_message.h"

namespace mpiexec {

std::string SpawnRequest::encode() const {
    thrum::Encoder encoder;
    encoder.put_list(programs, [&](const Program &program) {
        encoder.put_number(program.processes);
        encoder.put_text(program.path);
        encoder.put_texts(program.arguments);
        encoder.put_texts(program.variables);
        encoder.put_text(program.directory);
        encoder.put_text(program.hosts);
    });
    return encoder.text();
}

void SpawnRequest::decode(std::string_view text) {
    thrum::Decoder decoder(text);
    programs = decoder.take_list([&] {
        Program program;
        program.processes = decoder.take_int(0);
        program.path = decoder.take_text();
        program.arguments = decoder.take_texts();
        program.variables = decoder.take_texts();
        program.directory = decoder.take_text();
        program.hosts = decoder.take_text();
        return program;
    });
    require_complete(decoder);
}

} // namespace mpiexec
