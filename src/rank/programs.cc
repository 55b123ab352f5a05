#include "rank/programs.h"

#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

// Reads a number and the one character that ends it.
bool read_number(const char *&text, char end, long &number) {
    char *rest = nullptr;
    number = std::strtol(text, &rest, 10);
    if (rest == text || *rest != end || number < 0)
        return false;
    text = rest + 1;
    return true;
}

bool read_string(const char *&text, std::string &string) {
    long length = 0;
    if (!read_number(text, ':', length) || std::strlen(text) < static_cast<size_t>(length))
        return false;
    string.assign(text, static_cast<size_t>(length));
    text += length;
    return true;
}

bool read_strings(const char *&text, long count, std::vector<std::string> &strings) {
    for (long i = 0; i < count; ++i) {
        std::string string;
        if (!read_string(text, string))
            return false;
        strings.push_back(std::move(string));
    }
    return true;
}

} // namespace

bool parse_programs(const char *text, std::vector<ProgramSpecification> &programs) {
    while (*text) {
        ProgramSpecification program;
        long ranks = 0, arguments = 0, variables = 0;
        if (!read_number(text, ' ', ranks) || !read_number(text, ' ', arguments) ||
            !read_number(text, ' ', variables) || ranks < 1 ||
            !read_string(text, program.directory) || !read_string(text, program.path) ||
            !read_strings(text, arguments, program.arguments) ||
            !read_strings(text, variables, program.environment))
            return false;
        program.ranks = static_cast<int>(ranks);
        programs.push_back(std::move(program));
    }
    return !programs.empty();
}

} // namespace thrum
