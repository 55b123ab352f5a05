// The Fortran entry points of the standard ABI. Its numbers are those of C, and so are its
// statuses: the members are in the same places.
#include "fortran/entry_points.h"

#include "entry/entry.h"
#include "entry/large_count.h"
#include "fortran/convert.h"
#include "fortran/section.h"
#include "fortran/tool.h"
#include "mpi/attribute.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"
#include "removed/integers.h"

#include <algorithm>
#include <climits>
#include <memory>
#include <numeric>
#include <vector>

namespace thrum::fortran::standard {
namespace {

using Interface = StandardInterface;
using Status = MPI_Status;

template <converted::Use>
class StatusPlace {
public:
    explicit StatusPlace(MPI_Status *status) : status_(status) {}

    // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE are one constant in C.
    MPI_Status *c() { return is_ignored(status_) ? MPI_STATUS_IGNORE : status_; }

private:
    MPI_Status *status_;
};

template <converted::Use use>
class Statuses : public StatusPlace<use> {
public:
    Statuses(MPI_Status *statuses, int) : StatusPlace<use>(statuses) {}
};

class CallbackStatus {
public:
    explicit CallbackStatus(MPI_Status *status) : status_(status) {}

    MPI_Status *f() { return status_; }

private:
    MPI_Status *status_;
};

#include "fortran/same_numbers.inc"

} // namespace

#define ENTRY(name) thrum_fortran_##name
#define FORTRAN_ENTRIES "fortran/entries.inc"
#pragma GCC visibility push(default)
#include "fortran/entry_points.inc"

namespace {

using Buffer = FortranBuffer;

[[gnu::always_inline]] inline Section to_section(const Buffer &buffer) {
    return {&buffer, to_buffer(buffer.base)};
}

} // namespace

#define F08_ENTRIES "fortran/f08_entries.inc"
#include "fortran/f08.inc"
#pragma GCC visibility pop

} // namespace thrum::fortran::standard
