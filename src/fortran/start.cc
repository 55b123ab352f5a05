// Declares the compilers of a rank's Fortran programs, as MPI_Abi_set_fortran_info does (MPI 5.0
// section 20.5), when the rank starts MPI. Datatypes have one size in a process: it is an error if
// another program of the process has declared other sizes.

#include "datatype/predefined.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "fortran/sentinels.h"
#include "mpi/fortran_compiler.h"

#include <cstdlib>
#include <optional>
#include <string>

namespace thrum::fortran {
namespace {

// Returns a size in an info, or that of a compiler without options.
int size_in(const Info &info, const char *key, int default_bytes) {
    const std::string *size = info.get(key);
    return size ? std::atoi(size->c_str()) : default_bytes;
}

// Returns the sizes that a program of this process has declared.
std::optional<FortranSizes> declared_sizes() MAY_SUSPEND {
    MPI_Info known = MPI_INFO_NULL;
    if (mpi::abi_get_fortran_info(&known) || known == MPI_INFO_NULL)
        return {};
    const Info &info = *find_info(known);
    FortranSizes sizes;
    sizes.logical = size_in(info, "mpi_logical_size", sizes.logical);
    sizes.integer = size_in(info, "mpi_integer_size", sizes.integer);
    sizes.real = size_in(info, "mpi_real_size", sizes.real);
    sizes.double_precision = size_in(info, "mpi_double_precision_size", sizes.double_precision);
    (void)mpi::info_free(&known);
    return sizes;
}

// What the program declares itself (MPI_Abi_set_fortran_info) stays. But datatypes have one size in
// a process.
Error compare(const FortranSizes &own, const FortranSizes &declared) {
    if (own.integer != declared.integer)
        return fail(MPI_ERR_ABI,
                    "INTEGER has %d bytes in this program, but another rank's program has "
                    "declared %d: use --processes, or compile both with or without "
                    "-fdefault-integer-8",
                    own.integer, declared.integer);
    if (own.real != declared.real || own.double_precision != declared.double_precision)
        return fail(MPI_ERR_ABI,
                    "REAL has %d bytes in this program, and DOUBLE PRECISION %d, but another "
                    "rank's program has declared %d and %d: use --processes, or compile both with "
                    "the same -fdefault-real-8 and -fdefault-double-8",
                    own.real, own.double_precision, declared.real, declared.double_precision);
    return success;
}

// Declares gfortran's types, with these default sizes.
Error declare(const FortranSizes &sizes) MAY_SUSPEND {
    if (const std::optional<FortranSizes> declared = declared_sizes())
        return compare(sizes, *declared);
    char yes[8] = {1}, no[8] = {};
    (void)mpi::abi_set_fortran_booleans(sizes.logical, yes, no);
    const auto size = [](int bytes) {
        return bytes == 4 ? "4" : bytes == 8 ? "8" : "16";
    };
    const char *const pairs[][2] = {{"mpi_logical_size", size(sizes.logical)},
                                    {"mpi_integer_size", size(sizes.integer)},
                                    {"mpi_real_size", size(sizes.real)},
                                    {"mpi_double_precision_size", size(sizes.double_precision)},
                                    {"mpi_logical1_supported", "true"},
                                    {"mpi_logical2_supported", "true"},
                                    {"mpi_logical4_supported", "true"},
                                    {"mpi_logical8_supported", "true"},
                                    {"mpi_logical16_supported", "true"},
                                    {"mpi_integer1_supported", "true"},
                                    {"mpi_integer2_supported", "true"},
                                    {"mpi_integer4_supported", "true"},
                                    {"mpi_integer8_supported", "true"},
                                    {"mpi_integer16_supported", "true"},
                                    {"mpi_real2_supported", "false"},
                                    {"mpi_real4_supported", "true"},
                                    {"mpi_real8_supported", "true"},
                                    {"mpi_real16_supported", "true"},
                                    {"mpi_complex4_supported", "false"},
                                    {"mpi_complex8_supported", "true"},
                                    {"mpi_complex16_supported", "true"},
                                    {"mpi_complex32_supported", "true"},
                                    {"mpi_double_complex_supported", "true"}};
    Info *info = new_info();
    for (auto [key, value] : pairs)
        info->set(key, value);
    Error error = mpi::abi_set_fortran_info(info);
    delete_info(info);
    if (error) // another rank was faster
        if (const std::optional<FortranSizes> declared = declared_sizes())
            return compare(sizes, *declared);
    return error;
}

Error declare_compilers() MAY_SUSPEND {
    for (const FortranProgram *program = programs(); program; program = program->next) {
        const thrum_fortran_sentinels &its = program->sentinels;
        const int integer = its.integer_bytes;
        if (Error error = declare({integer, integer, its.reals->real, its.reals->double_precision}))
            return error;
    }
    return success;
}

// Sets the callback of MPI's start when the library is loaded.
[[maybe_unused]] const bool is_callback_set = [] {
    mpi::declare_fortran_compiler = [] {
        assert_does_not_suspend(); // it asks and sets what the process knows
        return declare_compilers();
    };
    return true;
}();

} // namespace
} // namespace thrum::fortran
