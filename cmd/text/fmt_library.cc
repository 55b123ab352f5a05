// Defines, once for all commands, the functions of fmt that fmt::format() and fmt::print() call.
// Debian has fmt as headers and as a shared library. As headers it is compiled anew in every file,
// which takes most of the time of these; with one more shared library, mpiexec starts later.
#define FMT_HEADER_ONLY
#include <cstdio>
#include <fmt/core.h>
#include <string>

namespace {

// Takes their addresses: an inline function that is not used is not emitted.
[[gnu::used]] std::string (*const format)(fmt::string_view, fmt::format_args) = &fmt::vformat;
[[gnu::used]] void (*const print)(fmt::string_view, fmt::format_args) = &fmt::vprint;
[[gnu::used]] void (*const print_to)(std::FILE *, fmt::string_view,
                                     fmt::format_args) = &fmt::vprint;

} // namespace
