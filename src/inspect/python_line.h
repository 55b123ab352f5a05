// Lines of Python programs as call sites. All calls of a script return to the same few addresses in
// mpi4py's compiled module, which tell a user nothing. So a call that comes from there gets another
// call site (python_interpreter.h): an address that stands for a line of the script. Everything
// that names calls works with it, because symbols.h knows these addresses.
#pragma once
#include "image/image.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thrum {

// Returns the call site that stands for a line: the same one for the same line. nullptr: there is
// no room for more lines.
const void *call_site_of_python(std::string_view file, int line, std::string_view function);

// Returns where `address` is if it is such a call site, minus 1 as all call sites are looked up.
// Only read_python_location() understands the path. Safe in a signal handler.
Location find_python_location(const void *address);

// Convert between such a call site and a number of the line, which is the same in all processes. 0:
// it is no line of Python. nullptr: this process has made no call from such a line.
uint32_t number_of_python_line(const void *call_site);
const void *call_site_of_python_line(uint32_t number);

// Writes the function ("main", "<module>") and the place ("solve.py:17") of such a location.
// Returns false for other locations. Safe in a signal handler.
bool read_python_location(const Location &location, char *function, size_t function_bytes,
                          char *place, size_t place_bytes);

} // namespace thrum
