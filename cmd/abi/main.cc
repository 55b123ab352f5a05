// thrum abi: says for which MPI a program is built, whether Thrum serves that binary interface, and
// what of it is missing, before anything runs. bin/thrum gives it the directory of libmpi_abi.so.1
// as its first argument.
//
// Exit code: 0: mpiexec can run the program; 1: it cannot, or something is missing; 2: wrong use;
// 126, 127: the file cannot be executed, or is not found.
#include "dynamic_symbols.h"
#include "image/elf_check.h"
#include "image/foreign_mpi.h"
#include "plan/usage_error.h"
#include "start/needed_libraries.h"
#include "start/program.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <vector>

namespace abi {
namespace {

using mpiexec::UsageError;

// A file that belongs to the program, and its symbols of MPI.
struct Part {
    std::string path;
    DynamicSymbols symbols;
};

// Returns whether a symbol is part of an MPI: a function in C or Fortran, or a predefined object.
bool is_of_mpi(const std::string &name) {
    for (const char *prefix : {"MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIO_", "ompi_", "OMPI_",
                               "opal_", "orte_", "mpi_", "pmpi_", "MPIR_"})
        if (name.starts_with(prefix))
            return true;
    return false;
}

bool is_function(const std::string &name) {
    const bool is_of_open_mpi = name.starts_with("ompi_") && !name.ends_with("_f");
    return !is_of_open_mpi && !name.starts_with("mpi_fortran_");
}

// Returns the program and its libraries, without those of an MPI, which are not loaded.
std::vector<Part> parts_of(const std::string &path,
                           const std::vector<mpiexec::NeededLibrary> &libraries) {
    std::vector<Part> parts{{path, {}}};
    for (const mpiexec::NeededLibrary &library : libraries)
        if (!library.path.empty() && !thrum::foreign_mpi_of(library.path.c_str()) &&
            !library.name.starts_with("libmpi_abi.so"))
            parts.push_back({library.path, {}});
    std::erase_if(parts, [](Part &part) { return !read_dynamic_symbols(part.path, part.symbols); });
    return parts;
}

// What of MPI the parts need, and what of that nobody gives.
struct Needs {
    std::set<std::string> functions, objects, copied;
    std::vector<std::string> missing; // "MPIX_Foo, which ./prog needs"
};

Needs needs_of(const std::vector<Part> &parts, const DynamicSymbols &given) {
    Needs needs;
    std::set<std::string> defined = given.defined;
    for (const Part &part : parts)
        defined.insert(part.symbols.defined.begin(), part.symbols.defined.end());
    for (const Part &part : parts) {
        for (const std::string &name : part.symbols.copied)
            if (is_of_mpi(name))
                needs.copied.insert(name);
        for (const std::string &name : part.symbols.needed) {
            if (!is_of_mpi(name))
                continue;
            if (!defined.contains(name))
                needs.missing.push_back(fmt::format("{}, which {} needs", name, part.path));
            else if (given.defined.contains(name))
                (is_function(name) ? needs.functions : needs.objects).insert(name);
        }
    }
    return needs;
}

std::string count_of(size_t count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Prints what the program needs of the libraries at `paths`. Returns the exit code.
int print_needs(const std::vector<Part> &parts, const std::vector<std::string> &paths) {
    DynamicSymbols given;
    for (const std::string &path : paths)
        if (!read_dynamic_symbols(path, given))
            throw UsageError(
                1, fmt::format("{} cannot be read: the installation is incomplete", path));
    const Needs needs = needs_of(parts, given);
    std::string text = count_of(needs.functions.size(), "function");
    if (!needs.objects.empty())
        text += fmt::format(", {}", count_of(needs.objects.size(), "predefined object"));
    if (!needs.copied.empty())
        text += fmt::format(" ({} copied into the executable)", needs.copied.size());
    fmt::print("  needs    {}; {}\n", text,
               needs.missing.empty() ? "all are there"
                                     : fmt::format("{} missing", needs.missing.size()));
    for (const std::string &missing : needs.missing)
        fmt::print("  missing  {}\n", missing);
    return needs.missing.empty() ? 0 : 1;
}

void print_ways(const mpiexec::ProgramSpec &spec) {
    if (spec.refusal.empty())
        fmt::print("  runs as  threads of one process, or with --processes\n");
    else
        fmt::print("  runs as  processes only: {}\n", spec.refusal);
}

int describe(const std::string &name, const std::string &library_directory) {
    mpiexec::ProgramSpec spec;
    spec.argv = {name};
    try {
        mpiexec::find_program(spec, 2, {});
    } catch (const UsageError &error) {
        if (error.exit_code != 2)
            throw;
        fmt::print("{}\n", error.what()); // another MPI's: find_program says which, and why not
        return 1;
    }
    if (spec.is_script) {
        fmt::print("{} is a script: give thrum abi the program that it starts\n", name);
        return 1;
    }
    if (spec.is_launcher) {
        fmt::print("{} needs no MPI, neither itself nor by its libraries\n", name);
        return 0;
    }
    std::vector<mpiexec::NeededLibrary> libraries;
    mpiexec::list_libraries(spec.path, {}, libraries);
    const std::vector<Part> parts = parts_of(spec.path, libraries);
    std::vector<std::string> paths{library_directory + "/libmpi_abi.so.1"};
    if (spec.front.empty()) {
        fmt::print("{} is built for the MPI standard ABI (libmpi_abi.so.1)\n", name);
    } else {
        const std::string soname = std::filesystem::path(spec.front).filename();
        fmt::print("{} is built for {} ({}), whose interface Thrum offers\n", name,
                   thrum::foreign_mpi_of(soname.c_str()), soname);
        const thrum::FrontLibraries *front = thrum::front_of(soname.c_str());
        paths.clear();
        for (const char *its : front->libraries())
            paths.push_back(library_directory + "/" + thrum::fronts_directory + its);
    }
    const int code = print_needs(parts, paths);
    print_ways(spec);
    return code;
}

int run(int argc, char **argv) {
    const std::string name = argc == 3 ? argv[2] : "";
    if (name == "--help" || name == "-h") {
        fmt::print("Usage: thrum abi PROGRAM\n\nSays for which MPI the program is built, what it "
                   "needs of that MPI's binary interface, and whether Thrum has it.\n"
                   "Exit code: 0 if mpiexec can run it, 1 if not, 2 for a wrong command line.\n");
        return 0;
    }
    if (name.empty() || name.starts_with('-'))
        throw UsageError(2, "needs one program: thrum abi ./a.out");
    return describe(name, argv[1]);
}

} // namespace
} // namespace abi

int main(int argc, char **argv) {
    try {
        return abi::run(argc, argv);
    } catch (const mpiexec::UsageError &error) {
        std::fprintf(stderr, "thrum abi: %s\n", error.what());
        return error.exit_code;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "thrum abi: %s\n", error.what());
        return 1;
    }
}
