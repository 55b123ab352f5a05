// The Fortran interface of another MPI: its handles are the integers of MPI_Comm_c2f and so on, its
// statuses and constants those of C. Its constants that are addresses are COMMON blocks, of the
// program or of the front's Fortran library.
#pragma once
#include "fortran/convert.h"
#include "front/convert.h"
#include "front/sentinel_name.h"

#include <span>

namespace thrum::front {

// Returns the constants of the calling rank's program: they are looked up by name once for each
// rank. A process uses one front.
const FortranProgram *find_programs(std::span<const SentinelName> names);

// Describes the interface as converted.h and convert.h ask for it. `F` is the front, and `names`
// are its constants.
template <class F, const auto &names>
struct FortranInterface {
    template <class H>
    using Handle = MPI_Fint;

    template <class H>
    static H to_standard(MPI_Fint number) {
        return F::template from_fortran<H>(number, fortran::to_c<H>);
    }

    template <class H>
    static MPI_Fint from_standard(H handle) {
        return F::template to_fortran<H>(handle, fortran::to_fortran<H>);
    }

    static const FortranProgram *programs() { return find_programs(names); }

    using Status = typename F::Status;

    static bool is_ignored(const Status *status) { return fortran::is_ignored(status, programs()); }

    static void to_standard_status(const Status &its, MPI_Status &status) {
        F::to_standard_status(its, status);
    }

    static void from_standard_status(const MPI_Status &status, Status &its) {
        F::from_standard_status(status, its);
    }

    static int64_t from_standard_error(int64_t code) { return F::from_standard_error(code); }
};

} // namespace thrum::front
