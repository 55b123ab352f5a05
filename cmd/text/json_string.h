// Strings of JSON (RFC 8259), which thrum sweep and reports write.
#pragma once
#include <string>
#include <string_view>

namespace text {

// Returns a string of JSON, with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

} // namespace text
