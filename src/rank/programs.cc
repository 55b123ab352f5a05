// Encodes and parses program specifications (rank/programs.h).
#include "rank/programs.h"

#include "base/codec.h"

#include <climits>

namespace thrum {

std::string encode_programs(const std::vector<ProgramSpecification> &programs) {
    Encoder encoder;
    encoder.put_list(programs, [&](const ProgramSpecification &program) {
        encoder.put_number(program.ranks);
        encoder.put_text(program.directory);
        encoder.put_text(program.path);
        encoder.put_texts(program.arguments);
        encoder.put_texts(program.environment);
    });
    return encoder.text();
}

bool parse_programs(const char *text, std::vector<ProgramSpecification> &programs) {
    Decoder decoder(text);
    programs = decoder.take_list([&] {
        ProgramSpecification program;
        program.ranks = decoder.take_int(1);
        program.directory = decoder.take_text();
        program.path = decoder.take_text();
        program.arguments = decoder.take_texts();
        program.environment = decoder.take_texts();
        return program;
    });
    return decoder.finish() && !programs.empty();
}

} // namespace thrum
