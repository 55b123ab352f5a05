// Put and get (MPI 5.0 sections 12.3.1 and 12.3.2): typed copies between the origin's buffer and
// the target's memory. The origin does them before the call returns, if it can access that memory.
#pragma once
#include "datatype/cursor.h"
#include "rma/buffers.h"
#include "rma/element.h"
#include "rma/epoch.h"

namespace thrum {

class OneSidedRequest; // rma/remote_access.h

// Copy between the origin's buffer and the target's memory. With a target in another process they
// may return before the data have moved. `request`: set for the request-based forms with such a
// target; otherwise nullptr.
inline Error put(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                 OneSidedRequest *request = nullptr) MAY_SUSPEND;
inline Error get(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                 OneSidedRequest *request = nullptr) MAY_SUSPEND;

// Do the same for an operation that takes the short path (rma/element.h). For any other they do
// nothing and return false.
inline bool put_element(const OriginBuffer &origin, const TargetBuffer &target, const Window &win);
inline bool get_element(const OriginBuffer &origin, const TargetBuffer &target, const Window &win);

// Finds where the target buffer begins, if `target` may be accessed at this moment and is inside
// the window or, for a dynamic one, in attached memory. `target.rank` must not be MPI_PROC_NULL. If
// the memory is not accessible from here, the result is not an address but counts from the part's
// `base`. May suspend only for dynamic windows with a target in another process.
inline Error locate(const TargetBuffer &target, Window &win, char *&address) MAY_SUSPEND;

// The general paths, out of line.
namespace detail {
Error put(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
          OneSidedRequest *request) MAY_SUSPEND;
Error get(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
          OneSidedRequest *request) MAY_SUSPEND;
[[gnu::cold]] Error not_in_window(const TargetBuffer &target, const Window &win);
Error locate_with_bounds(const TargetBuffer &target, Window &win, char *&address) MAY_SUSPEND;
} // namespace detail

// Returns MPI_ERR_TRUNCATE: the data of `what` do not fit into `buffer`. Accumulates use it, too.
[[gnu::cold]] Error too_long(const char *what, Count size_bytes, const char *buffer,
                             Count room_bytes);

inline bool put_element(const OriginBuffer &origin, const TargetBuffer &target, const Window &win) {
    char *address = element_at(origin, target, win);
    if (!address) [[unlikely]]
        return false;
    copy_element(address, origin.address, static_cast<size_t>(target.type.size_bytes));
    return true;
}

inline bool get_element(const OriginBuffer &origin, const TargetBuffer &target, const Window &win) {
    const char *address = element_at(origin, target, win);
    if (!address) [[unlikely]]
        return false;
    copy_element(origin.address, address, static_cast<size_t>(target.type.size_bytes));
    return true;
}

inline Error put(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                 OneSidedRequest *request) {
    return put_element(origin, target, win) ? success : detail::put(origin, target, win, request);
}

inline Error get(const OriginBuffer &origin, const TargetBuffer &target, Window &win,
                 OneSidedRequest *request) {
    return get_element(origin, target, win) ? success : detail::get(origin, target, win, request);
}

inline Error locate(const TargetBuffer &target, Window &win, char *&address) {
    if (Error error = check_access(win, target.rank))
        return error;
    const WindowPart &part = win.parts[target.rank];
    Count offset, size_bytes;
    bool plain = target.type.contiguous && !win.dynamic && target.disp >= 0;
    if (!plain) [[unlikely]]
        return detail::locate_with_bounds(target, win, address);
    bool fits = !__builtin_mul_overflow(Count{target.disp}, part.disp_unit, &offset) &&
                !__builtin_mul_overflow(target.count, target.type.size_bytes, &size_bytes) &&
                static_cast<size_t>(size_bytes) <= part.size_bytes &&
                static_cast<size_t>(offset) <= part.size_bytes - static_cast<size_t>(size_bytes);
    if (!fits) [[unlikely]]
        return detail::not_in_window(target, win);
    address = moved(part.base, offset);
    return success;
}

} // namespace thrum
