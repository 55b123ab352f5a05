// Start, time and other functions whose form in Fortran differs from C (MPI 5.0 chapters 9 to 11).
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

#include <cstring>

using namespace thrum;
using namespace thrum::fortran;

namespace {

// Declares to libmpi what the standard ABI leaves to the Fortran compiler (section 20.5):
// gfortran's values. Does nothing if another rank has declared them.
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

// A Fortran program has no arguments to pass.
Error info_create_env(MPI_Info *info) MAY_SUSPEND {
    return mpi::info_create_env(0, nullptr, info);
}

} // namespace

extern "C" {

void thrum_fortran_init(MPI_Fint *ierror) {
    *ierror = enter_anytime<init>(CALL(Init));
}

void thrum_fortran_init_thread(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror) {
    *ierror = enter_anytime<init_thread>(CALL(Init_thread), arg::Plain{"required", *required},
                                         arg::Pointer{"provided", provided});
}

void thrum_fortran_info_create_env(MPI_Fint *info, MPI_Fint *ierror) {
    *ierror = enter_anytime<info_create_env>(
        CALL(Info_create_env), arg::Pointer{"info", Handles<MPI_Info, Use::Out>(info).c()});
}

void thrum_fortran_pcontrol(MPI_Fint *level) MAY_SUSPEND {
    mpi::pcontrol(*level);
}

double thrum_fortran_wtime() MAY_SUSPEND {
    return mpi::wtime();
}

double thrum_fortran_wtick() MAY_SUSPEND {
    return mpi::wtick();
}

MPI_Aint thrum_fortran_aint_add(MPI_Aint *base, MPI_Aint *disp) MAY_SUSPEND {
    return mpi::aint_add(*base, *disp);
}

MPI_Aint thrum_fortran_aint_diff(MPI_Aint *addr1, MPI_Aint *addr2) MAY_SUSPEND {
    return mpi::aint_diff(*addr1, *addr2);
}

} // extern "C"
