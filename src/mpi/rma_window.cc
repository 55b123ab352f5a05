// Windows (MPI 5.0 section 12.2): creation, queries, and freeing. Attributes are in attribute.cc,
// error handlers in error.cc.
#include "comm/attributes.h"
#include "comm/info.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/tolerance.h"
#include "rma/epoch.h"
#include "rma/remote_access.h"
#include "rma/window_lifecycle.h"

#include <cstdio>

namespace thrum::mpi {
namespace {

// Makes a window, collectively.
Error make(Communicator &comm, const WindowRequest &request, MPI_Win *handle) MAY_SUSPEND {
    Window *win = nullptr;
    if (Error error = make_window(comm, request, win))
        return error;
    *handle = win;
    return success;
}

// Makes a window whose memory the library allocates, and stores the address of this rank's part.
Error make_and_tell_base(Communicator &comm, const WindowRequest &request, void *baseptr,
                         MPI_Win *handle) MAY_SUSPEND {
    if (!baseptr)
        return arg::null_pointer("baseptr");
    if (Error error = make(comm, request, handle))
        return error;
    const Window &win = **handle;
    *static_cast<void **>(baseptr) = win.parts[win.rank].base;
    return success;
}

} // namespace

Error win_create(void *base, MPI_Aint size, Count disp_unit, Info *info, Communicator &comm,
                 MPI_Win *win) {
    return make(comm, {MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info}, win);
}

Error win_allocate(MPI_Aint size, Count disp_unit, Info *info, Communicator &comm, void *baseptr,
                   MPI_Win *win) {
    return make_and_tell_base(comm, {MPI_WIN_FLAVOR_ALLOCATE, nullptr, size, disp_unit, info},
                              baseptr, win);
}

Error win_allocate_shared(MPI_Aint size, Count disp_unit, Info *info, Communicator &comm,
                          void *baseptr, MPI_Win *win) {
    return make_and_tell_base(comm, {MPI_WIN_FLAVOR_SHARED, nullptr, size, disp_unit, info},
                              baseptr, win);
}

Error win_create_dynamic(Info *info, Communicator &comm, MPI_Win *win) {
    return make(comm, {MPI_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1, info}, win);
}

Error win_attach(Window &win, void *base, MPI_Aint size) {
    return attach_memory(win, base, size);
}

Error win_detach(Window &win, const void *base) {
    return detach_memory(win, base);
}

// Section 12.2.3: "When the remote memory segment corresponding to a particular MPI process cannot
// be accessed directly, this call returns size = 0 and a baseptr as if MPI_ALLOC_MEM was called
// with size = 0." Ranks of one process can access all memory of each other. MPI_PROC_NULL is "the
// lowest rank in the shared memory domain that specified size > 0".
Error win_shared_query(Window &win, int rank, MPI_Aint *size, CountRef disp_unit, void *baseptr) {
    if (win.dynamic)
        return fail(MPI_ERR_RMA_FLAVOR, "win was made by MPI_Win_create_dynamic");
    if (Error error = check_rank(win, rank))
        return error;
    if (!baseptr)
        return arg::null_pointer("baseptr");
    if (rank == MPI_PROC_NULL) {
        rank = 0;
        while (rank < win.size && !(win.parts[rank].size_bytes > 0 && shares_node(win, rank)))
            ++rank;
        if (rank == win.size) // no rank has any
            rank = win.rank;
    }
    const WindowPart &part = win.parts[rank];
    if (!part.is_accessible()) {
        static char nothing;
        *size = 0;
        disp_unit = part.disp_unit;
        *static_cast<void **>(baseptr) = &nothing;
        return success;
    }
    *size = static_cast<MPI_Aint>(part.size_bytes);
    disp_unit = part.disp_unit;
    *static_cast<void **>(baseptr) = part.base;
    return success;
}

// Attributes are deleted before the meeting in free_window(): their delete functions may still use
// the window.
Error win_free(MPI_Win *handle) {
    Window *win = find_window(*handle);
    if (!win)
        return arg::bad_handle(MPI_ERR_WIN, "win", *handle, "window");
    if (Error error = check_idle(*win))
        return blame(culprit_of(*win), error);
    if (win->epoch.load(std::memory_order_relaxed) == Epoch::FenceUsed &&
        !is_tolerated(Tolerance::OpenFence)) {
        char text[epoch_text_bytes];
        if (Error error = tolerate(Tolerance::OpenFence,
                                   fail(MPI_ERR_RMA_SYNC, "%s", describe_epoch(*win, text))))
            return blame(culprit_of(*win), error);
    }
    if (Error error = delete_attributes(win->attributes, win))
        return blame(culprit_of(*win), error);
    if (Error error = free_window(*win))
        return blame(culprit_of(*win), error);
    *handle = MPI_WIN_NULL;
    return success;
}

// The program frees the group, so it gets a reference.
Error win_get_group(Window &win, MPI_Group *group) {
    retain(*win.comm->group);
    *group = handle_of(*win.comm->group);
    return success;
}

// Only hints that may change after creation are taken.
Error win_set_info(Window &win, Info *info) {
    if (!info)
        return fail(MPI_ERR_INFO, "info is MPI_INFO_NULL");
    win.hints.take(*info, true);
    return success;
}

Error win_get_info(Window &win, MPI_Info *info_used) {
    *info_used = handle_of(*win.hints.report(win.flavor));
    return success;
}

Error win_set_name(Window &win, const char *win_name) {
    if (!win_name)
        return arg::null_pointer("win_name");
    set_window_name(win, win_name);
    return success;
}

// Section 7.8: "Passing MPI_WIN_NULL as win will return the string "MPI_WIN_NULL"."
Error win_get_name(Window *win, char *win_name, int *resultlen) {
    *resultlen =
        std::snprintf(win_name, MPI_MAX_OBJECT_NAME, "%s", win ? win->name : "MPI_WIN_NULL");
    return success;
}

} // namespace thrum::mpi
