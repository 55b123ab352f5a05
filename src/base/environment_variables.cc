// Parsers that need no locale and no allocation.
#include "base/environment_variables.h"

#include <climits>
#include <cstdlib>
#include <cstring>

namespace thrum {

const char *find_variable(const char *const *environment, const char *name) {
    size_t length = std::strlen(name);
    for (; environment && *environment; ++environment)
        if (!std::strncmp(*environment, name, length) && (*environment)[length] == '=')
            return *environment + length + 1;
    return nullptr;
}

bool parse_size(const char *text, size_t &bytes) {
    char *end = nullptr;
    unsigned long long value = std::strtoull(text, &end, 10);
    if (end == text || *text == '-')
        return false;
    int shift = 0;
    switch (*end) {
    case 'k':
    case 'K':
        shift = 10;
        ++end;
        break;
    case 'm':
    case 'M':
        shift = 20;
        ++end;
        break;
    case 'g':
    case 'G':
        shift = 30;
        ++end;
        break;
    default:
        break;
    }
    if (*end || value > (ULLONG_MAX >> shift))
        return false;
    bytes = static_cast<size_t>(value << shift);
    return true;
}

bool parse_seconds(const char *text, double least, double most, double &seconds) {
    char *end = nullptr;
    seconds = std::strtod(text, &end);
    return end != text && !*end && seconds > least && seconds <= most;
}

} // namespace thrum
