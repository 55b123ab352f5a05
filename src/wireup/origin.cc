#include "wireup/origin.h"

#include "base/codec.h"
#include "wireup/layout.h"

namespace thrum {

std::string encode_origin(const std::string &job, const Origin &origin) {
    Encoder encoder;
    encoder.put_text(job);
    encoder.put_number(origin.first_process);
    encoder.put_number(origin.count);
    encoder.put_number(origin.parent);
    encoder.put_text(encode_processes(origin.parents));
    encoder.put_text(origin.directory);
    return encoder.text();
}

bool parse_origin(std::string_view text, std::string &job, Origin &origin) {
    Decoder decoder(text);
    job = decoder.take_text();
    origin.first_process = decoder.take_int(0);
    origin.count = decoder.take_int(1);
    origin.parent = decoder.take_int(0);
    const std::string parents = decoder.take_text();
    origin.directory = decoder.take_text();
    return decoder.finish() && parse_processes(parents, origin.parents);
}

} // namespace thrum
