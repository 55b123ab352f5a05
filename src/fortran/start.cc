// MPI_Init and MPI_Init_thread of Fortran programs.
#include "fortran/start.h"

#include "datatype/predefined.h"
#include "entry/calls.h"
#include "entry/entry.h"

#include <cstdlib>
#include <string>

namespace thrum::fortran {

namespace {

// Returns the size that a program of this process has declared for INTEGER; 0 if none has.
int declared_integer_bytes() MAY_SUSPEND {
    MPI_Info known = MPI_INFO_NULL;
    if (mpi::abi_get_fortran_info(&known) || known == MPI_INFO_NULL)
        return 0;
    const std::string *size = find_info(known)->get("mpi_integer_size");
    const int bytes = size ? std::atoi(size->c_str()) : FortranSizes().integer;
    (void)mpi::info_free(&known);
    return bytes;
}

} // namespace

// What the program declares itself (MPI_Abi_set_fortran_info) stays. But datatypes have one size in
// a process.
Error declare_compiler(int integer_bytes) MAY_SUSPEND {
    if (const int declared = declared_integer_bytes())
        return declared == integer_bytes
                   ? success
                   : fail(MPI_ERR_ABI,
                          "INTEGER has %d bytes in this program, but another rank's program has "
                          "declared %d: use --processes, or compile both with or without "
                          "-fdefault-integer-8",
                          integer_bytes, declared);
    char yes[8] = {1}, no[8] = {};
    (void)mpi::abi_set_fortran_booleans(integer_bytes, yes, no);
    const char *bytes = integer_bytes == 8 ? "8" : "4";
    const char *const pairs[][2] = {{"mpi_logical_size", bytes},
                                    {"mpi_integer_size", bytes},
                                    {"mpi_real_size", "4"},
                                    {"mpi_double_precision_size", "8"},
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
    return error;
}

Error init(int integer_bytes) MAY_SUSPEND {
    if (Error error = mpi::init(nullptr, nullptr))
        return error;
    return declare_compiler(integer_bytes);
}

Error init_thread(int integer_bytes, int required, int *provided) MAY_SUSPEND {
    if (Error error = mpi::init_thread(nullptr, nullptr, required, provided))
        return error;
    return declare_compiler(integer_bytes);
}

} // namespace thrum::fortran
