#include "text/json_string.h"

#include <cstddef>
#include <fmt/core.h>

namespace text {
namespace {

// Returns the length of the UTF-8 sequence with which `text` begins, or 0 if there is none.
size_t utf8_length(std::string_view text) {
    const auto byte = [&](size_t i) {
        return static_cast<unsigned char>(text[i]);
    };
    const unsigned char first = byte(0);
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xc2 && first < 0xe0 ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    const bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool is_no_character =
        (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
    return is_overlong || is_no_character ? 0 : length;
}

} // namespace

std::string json_string(std::string_view text) {
    std::string result = "\"";
    while (!text.empty()) {
        const size_t length = utf8_length(text);
        const char first = text[0];
        if (length == 0)
            result += "\\ufffd";
        else if (first == '"' || first == '\\')
            result += {'\\', first};
        else if (static_cast<unsigned char>(first) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result + "\"";
}

} // namespace text
