// What may be called at any time in a window's life: attach, detach, names, the check of a rank.
#include "rma/window.h"

#include <cstdio>

namespace thrum {

Error attach_memory(Window &win, void *base, MPI_Aint size_bytes) {
    if (!win.dynamic)
        return fail(MPI_ERR_RMA_FLAVOR, "win was not made by MPI_Win_create_dynamic");
    if (size_bytes < 0)
        return fail(MPI_ERR_SIZE, "size is %ld, but must not be negative",
                    static_cast<long>(size_bytes));
    if (!base && size_bytes > 0)
        return fail(MPI_ERR_BASE, "base is a null pointer, but size is %ld",
                    static_cast<long>(size_bytes));
    return win.attached.attach(reinterpret_cast<uintptr_t>(base),
                               static_cast<uintptr_t>(size_bytes));
}

Error detach_memory(Window &win, const void *base) {
    if (!win.dynamic)
        return fail(MPI_ERR_RMA_FLAVOR, "win was not made by MPI_Win_create_dynamic");
    return win.attached.detach(reinterpret_cast<uintptr_t>(base));
}

void set_window_name(Window &win, const char *name) {
    std::snprintf(win.name, sizeof win.name, "%s", name);
    std::snprintf(win.comm->name, sizeof win.comm->name, "window %.100s", name);
}

const char *describe(const Window &win, char *text, size_t size_bytes) {
    if (*win.name)
        std::snprintf(text, size_bytes, "window \"%s\"", win.name);
    else
        std::snprintf(text, size_bytes, "%s", win.comm->name);
    return text;
}

Error not_a_rank(const Window &win, int rank) {
    return fail(MPI_ERR_RANK, "rank is %d, but the window has %d rank%s", rank, win.size,
                win.size == 1 ? "" : "s");
}

} // namespace thrum
