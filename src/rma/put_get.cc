// Put and get, and the slow paths of locate(). A call that is wrong changes nothing: all checks
// come before the copy.
#include "rma/put_get.h"

#include "pt2pt/lost.h"
#include "rma/access_checks.h"
#include "rma/access_record.h"
#include "rma/remote_access.h"

#include <cinttypes>

namespace thrum {
namespace detail {
namespace {

// The range [low, high) of bytes that `count` elements at offset 0 touch. 128 bits: products of
// arguments do not overflow.
struct Span {
    __int128 low, high;
};

// Returns the span for count > 0. The extent may be negative: then the last element is the lowest.
Span span_of(Count count, const Datatype &type) {
    __int128 first = type.true_lower_bound;
    __int128 last = first + static_cast<__int128>(count - 1) * type.extent;
    if (last < first)
        std::swap(first, last);
    return {first, last + type.true_extent};
}

bool has_data(const TargetBuffer &target) {
    return target.count > 0 && target.type.size_bytes > 0;
}

Error bad_displacement(const TargetBuffer &target) {
    return fail(MPI_ERR_DISP, "target_disp is %ld, but must not be negative",
                static_cast<long>(target.disp));
}

// Asks the target's process if the member is there, and waits for the answer.
bool is_attached(Window &win, int rank, uintptr_t begin, uintptr_t end) MAY_SUSPEND {
    const WindowPart &part = win.parts[rank];
    return part.is_here() ? part.window->attached.covers(begin, end)
                          : is_attached_remotely(win, rank, begin, end);
}

// Computes with 128 bits, so that a displacement near the end of the address space does not
// overflow. If the target's process is lost, that is the error to report.
Error locate_in_attached(const TargetBuffer &target, Window &win, char *&address) MAY_SUSPEND {
    address = moved(nullptr, target.disp); // section 12.2.4: target_disp is the address itself
    if (!has_data(target))
        return success;
    Span span = span_of(target.count, target.type);
    __int128 low = span.low + static_cast<uintptr_t>(target.disp);
    __int128 high = span.high + static_cast<uintptr_t>(target.disp);
    if (low >= 0 && high <= static_cast<__int128>(UINTPTR_MAX) &&
        is_attached(win, target.rank, static_cast<uintptr_t>(low), static_cast<uintptr_t>(high)))
        return success;
    if (const NodeProcess lost = lost_process_of_member(win, target.rank); lost != no_process)
        return lost_process_error(lost);
    return fail(MPI_ERR_RMA_RANGE,
                "bytes %#" PRIxPTR " to %#" PRIxPTR " of rank %d are not attached to the window",
                static_cast<uintptr_t>(low), static_cast<uintptr_t>(high), target.rank);
}

} // namespace

// The numbers are only for the message: long double holds them without overflow.
Error not_in_window(const TargetBuffer &target, const Window &win) {
    const WindowPart &part = win.parts[target.rank];
    auto place = static_cast<long double>(target.disp) * static_cast<long double>(part.disp_unit);
    Span span = has_data(target) ? span_of(target.count, target.type) : Span{0, 0};
    return fail(MPI_ERR_RMA_RANGE,
                "target_disp is %ld and target_count %lld: bytes %.0Lf to %.0Lf of the window of "
                "rank %d, which has %zu",
                static_cast<long>(target.disp), static_cast<long long>(target.count),
                place + static_cast<long double>(span.low),
                place + static_cast<long double>(span.high), target.rank, part.size_bytes);
}

Error locate_with_bounds(const TargetBuffer &target, Window &win, char *&address) {
    if (win.dynamic)
        return locate_in_attached(target, win, address);
    if (target.disp < 0)
        return bad_displacement(target);
    const WindowPart &part = win.parts[target.rank];
    __int128 offset = static_cast<__int128>(target.disp) * part.disp_unit;
    Span span = has_data(target) ? span_of(target.count, target.type) : Span{0, 0};
    if (offset + span.low < 0 || offset + span.high > static_cast<__int128>(part.size_bytes))
        return not_in_window(target, win);
    address = moved(part.base, static_cast<Count>(offset));
    return success;
}

} // namespace detail

Error too_long(const char *what, Count size_bytes, const char *buffer, Count room_bytes) {
    return fail(MPI_ERR_TRUNCATE, "%s has %lld bytes of data, but %s has room for %lld", what,
                static_cast<long long>(size_bytes), buffer, static_cast<long long>(room_bytes));
}

// Copies at once if the target's memory is accessible. Sizes are checked first, so a wrong call
// changes nothing.
Error detail::put(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                  OneSidedRequest *request) {
    if (target.rank == MPI_PROC_NULL)
        return success;
    char *address;
    if (Error error = locate(target, win, address))
        return error;
    size_t size_bytes = data_bytes(origin.count, origin.type);
    size_t room_bytes = data_bytes(target.count, target.type);
    if (size_bytes > room_bytes) [[unlikely]]
        return too_long("the origin buffer", static_cast<Count>(size_bytes), "the target buffer",
                        static_cast<Count>(room_bytes));
    if (win.parts[target.rank].is_accessible()) [[likely]]
        copy_typed(origin.address, origin.count, origin.type, address, target.count, target.type);
    else if (Error error = put_remotely(origin, target, address, win, request))
        return error;
    if (has_buffer_checks()) [[unlikely]]
        watch_operation({.kind = AccessKind::Put, .reads = &origin}, target, address, win, request);
    count_rma(win, Counted::Put, size_bytes);
    return success;
}

Error detail::get(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                  OneSidedRequest *request) {
    if (target.rank == MPI_PROC_NULL)
        return success;
    char *address;
    if (Error error = locate(target, win, address))
        return error;
    size_t size_bytes = data_bytes(target.count, target.type);
    size_t room_bytes = data_bytes(origin.count, origin.type);
    if (size_bytes > room_bytes) [[unlikely]]
        return too_long("the target buffer", static_cast<Count>(size_bytes), "the origin buffer",
                        static_cast<Count>(room_bytes));
    if (win.parts[target.rank].is_accessible()) [[likely]]
        copy_typed(address, target.count, target.type, origin.address, origin.count, origin.type);
    else if (Error error = get_remotely(origin, target, address, win, request))
        return error;
    if (has_buffer_checks()) [[unlikely]]
        watch_operation({.kind = AccessKind::Get, .writes = &origin}, target, address, win,
                        request);
    count_rma(win, Counted::Get, size_bytes);
    return success;
}

} // namespace thrum
