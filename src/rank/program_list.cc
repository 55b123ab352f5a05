#include "rank/program_list.h"

#include <climits>
#include <cstring>

namespace thrum {
namespace {

// A decimal number that ends with `terminator`, at most INT_MAX.
bool next_number(const char *&cursor, char terminator, int &number) {
    long value = 0;
    const char *p = cursor;
    for (; *p >= '0' && *p <= '9'; ++p) {
        value = 10 * value + (*p - '0');
        if (value > INT_MAX)
            return false;
    }
    if (p == cursor || *p != terminator)
        return false;
    number = static_cast<int>(value);
    cursor = p + 1;
    return true;
}

} // namespace

bool next_string(const char *&cursor, std::string_view &text) {
    int length = 0;
    const char *p = cursor;
    if (!next_number(p, ':', length) ||
        strnlen(p, static_cast<size_t>(length)) != static_cast<size_t>(length))
        return false;
    text = {p, static_cast<size_t>(length)};
    cursor = p + length;
    return true;
}

bool next_program(const char *&cursor, ProgramRecord &record) {
    const char *p = cursor;
    ProgramRecord next;
    if (!next_number(p, ' ', next.ranks) || !next_number(p, ' ', next.argc) ||
        !next_string(p, next.working_directory) || !next_string(p, next.path))
        return false;
    next.arguments = p;
    std::string_view argument;
    for (int i = 0; i < next.argc; ++i)
        if (!next_string(p, argument))
            return false;
    record = next;
    cursor = p;
    return true;
}

bool find_program(const char *programs, int world_rank, ProgramRecord &record) {
    ProgramRecord next;
    while (next_program(programs, next)) {
        if (world_rank < next.ranks) {
            record = next;
            return true;
        }
        world_rank -= next.ranks;
    }
    return false;
}

} // namespace thrum
