// MPI_Init and MPI_Init_thread of Fortran programs.
#include "fortran/start.h"

#include "entry/calls.h"
#include "entry/entry.h"

namespace thrum::fortran {

Error declare_compiler() MAY_SUSPEND {
    MPI_Fint yes = 1, no = 0, is_set = 0;
    if (Error error = mpi::abi_get_fortran_booleans(sizeof yes, &yes, &no, &is_set))
        return error;
    if (!is_set)
        if (Error error = mpi::abi_set_fortran_booleans(sizeof yes, &yes, &no))
            return error;
    MPI_Info known = MPI_INFO_NULL;
    if (Error error = mpi::abi_get_fortran_info(&known))
        return error;
    if (known != MPI_INFO_NULL)
        return mpi::info_free(&known);
    static constexpr const char *pairs[][2] = {{"mpi_logical_size", "4"},
                                               {"mpi_integer_size", "4"},
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

// Errors of the declaration are ignored: another rank's program may have declared another compiler
// first, which is not an error here.
Error init() MAY_SUSPEND {
    if (Error error = mpi::init(nullptr, nullptr))
        return error;
    (void)declare_compiler();
    return success;
}

Error init_thread(int required, int *provided) MAY_SUSPEND {
    if (Error error = mpi::init_thread(nullptr, nullptr, required, provided))
        return error;
    (void)declare_compiler();
    return success;
}

} // namespace thrum::fortran
