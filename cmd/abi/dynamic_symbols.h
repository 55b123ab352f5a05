// The dynamic symbols of an ELF file: what it defines for others, and what it needs from them.
#pragma once
#include <set>
#include <string>

namespace abi {

struct DynamicSymbols {
    std::set<std::string> defined;
    std::set<std::string> needed; // not those that may be missing (weak)
    std::set<std::string> copied; // objects of a library, of which the executable has a COPY
};

// Reads the file at `path`. Returns false if it cannot be read as a dynamic ELF file.
bool read_dynamic_symbols(const std::string &path, DynamicSymbols &symbols);

} // namespace abi
