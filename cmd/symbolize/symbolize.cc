// symbolize: finds names and lines for crash reports, so that the library itself need not read
// debug information, nor trust its own memory after a crash.
//
// Reads lines "PATH HEX", HEX an address as the file at PATH numbers it, until end of file; writes
// one line for each, three fields separated by tabs:
//   function   file:line   callers into which it has been inlined: "caller (file:line) < ..."
// "??" is written for unknown parts; without debug information the function is the symbol's name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

constexpr size_t name_length_max = 100; // longer C++ names are shortened to their last part

const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

// An ELF file, with the addresses that it uses itself. `module` is nullptr if it cannot be read.
struct Object {
    Dwfl *dwfl = nullptr;
    Dwfl_Module *module = nullptr;

    explicit Object(const std::string &path) {
        dwfl = dwfl_begin(&callbacks);
        if (!dwfl)
            return;
        module = dwfl_report_elf(dwfl, path.c_str(), path.c_str(), -1, 0, true);
        dwfl_report_end(dwfl, nullptr, nullptr);
    }

    Object(const Object &) = delete;

    ~Object() { dwfl_end(dwfl); }
};

// The three fields of an answer.
struct Place {
    std::string function = "??";
    std::string line = "??";
    std::string inlined_into;
};

// Returns the C++ name of a symbol, or the symbol itself if it is not one.
std::string demangled(const char *name) {
    if (!name)
        return "??";
    int status = 0;
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 && text ? text : name;
    std::free(text);
    return result;
}

// Returns an attribute of a debug entry, also one that it inherits from its abstract origin; "" or
// 0 if it has none.
std::string string_attribute(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    const char *text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    return text ? text : "";
}

unsigned number_attribute(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
    return static_cast<unsigned>(value);
}

// Returns the function's name. `symbol` is the symbol at the address, or nullptr for an inlined
// function. It replaces the linkage name, which g++ omits for functions in unnamed namespaces.
std::string function_name(Dwarf_Die *function, const char *symbol) {
    std::string linkage = string_attribute(function, DW_AT_linkage_name);
    if (linkage.empty() && symbol && std::strncmp(symbol, "_Z", 2) == 0)
        linkage = symbol;
    std::string full = linkage.empty() ? "" : demangled(linkage.c_str());
    if (!full.empty() && full.size() <= name_length_max)
        return full;
    const char *last_part = dwarf_diename(function);
    std::string name = last_part ? last_part : full.empty() ? "??" : full;
    if (name.size() > name_length_max && name.find('<') != std::string::npos)
        name.replace(name.find('<'), std::string::npos, "<...>");
    return name;
}

// Returns whether the entry is a function, or an inlined call of one.
bool is_function(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_entry_point;
}

// Returns the place as given to the compiler: relative to the directory in which it ran.
std::string place_text(const std::string &directory, const char *file, unsigned line) {
    if (!file)
        return "??";
    std::string name = file;
    if (!directory.empty() && name.compare(0, directory.size() + 1, directory + "/") == 0)
        name.erase(0, directory.size() + 1);
    while (name.compare(0, 2, "./") == 0)
        name.erase(0, 2);
    return name + ":" + std::to_string(line);
}

// Writes the functions around `address`, innermost first: its own, then those into which it was
// inlined.
void describe_scopes(Dwarf_Die *unit, Dwarf_Addr address, const char *symbol,
                     const std::string &directory, Place &place) {
    Dwarf_Die *around = nullptr;
    if (dwarf_getscopes(unit, address, &around) <= 0)
        return;
    Dwarf_Die *scopes = nullptr;
    int count = dwarf_getscopes_die(&around[0], &scopes);
    Dwarf_Files *files = nullptr;
    if (dwarf_getsrcfiles(unit, &files, nullptr) != 0)
        files = nullptr;
    std::string call_place;
    for (int i = 0; i < count; ++i) {
        Dwarf_Die *scope = &scopes[i];
        if (!is_function(scope))
            continue;
        bool inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine;
        std::string name = function_name(scope, inlined ? nullptr : symbol);
        if (call_place.empty())
            place.function = name;
        else
            place.inlined_into +=
                (place.inlined_into.empty() ? "" : " < ") + name + " (" + call_place + ")";
        if (!inlined)
            break;
        const char *file =
            files ? dwarf_filesrc(files, number_attribute(scope, DW_AT_call_file), nullptr, nullptr)
                  : nullptr;
        call_place = place_text(directory, file, number_attribute(scope, DW_AT_call_line));
    }
    std::free(scopes);
    std::free(around);
}

// Returns the unit that contains `address`, or nullptr. Clang writes no table of addresses, so each
// unit is asked then.
Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr &bias) {
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        if (dwarf_haspc(unit, address - bias) == 1)
            break;
    return unit;
}

// Returns what is known of an address.
Place describe(const Object &object, Dwarf_Addr address) {
    Place place;
    if (!object.module)
        return place;
    Dwarf_Addr bias = 0;
    std::string directory;
    const char *symbol = dwfl_module_addrname(object.module, address);
    Dwarf_Die *unit = find_unit(object.module, address, bias);
    if (unit) {
        directory = string_attribute(unit, DW_AT_comp_dir);
        describe_scopes(unit, address - bias, symbol, directory, place);
    }
    if (place.function == "??")
        place.function = demangled(symbol);
    Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : nullptr;
    int number = 0;
    if (line && dwarf_lineno(line, &number) == 0)
        place.line = place_text(directory, dwarf_linesrc(line, nullptr, nullptr),
                                static_cast<unsigned>(number));
    return place;
}

} // namespace

int main() {
    ::unsetenv("DEBUGINFOD_URLS"); // a report does not wait for the network
    // Each file is opened once: a report names many addresses of few files.
    std::map<std::string, std::unique_ptr<Object>> objects;
    std::string line;
    while (std::getline(std::cin, line)) {
        size_t space = line.rfind(' ');
        std::string path = line.substr(0, space);
        const char *digits = space == std::string::npos ? "0" : line.c_str() + space + 1;
        std::unique_ptr<Object> &object = objects[path];
        if (!object)
            object = std::make_unique<Object>(path);
        Place place = describe(*object, std::strtoull(digits, nullptr, 16));
        std::cout << place.function << '\t' << place.line << '\t' << place.inlined_into
                  << std::endl;
    }
    return 0;
}
