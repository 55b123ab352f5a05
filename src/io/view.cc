// Construction of views, and the mapping between the stream and the file (view.h). Both directions
// use a cursor over the filetype, whose addresses are positions in the file: so regular filetypes
// cost the same however many blocks they have.
#include "io/view.h"

#include "datatype/describe.h"

#include <algorithm>

namespace thrum {
namespace {

// Checks the order of a datatype's blocks (section 14.3): displacements are not negative and do not
// decrease; nothing overlaps if the file is open for writing. A cursor over imaginary memory yields
// the displacements in the order of the stream; nothing is dereferenced.
Error check_order(const char *name, const Datatype &given, const Datatype &in_file, bool writable) {
    constexpr Count bias = 4096; // a cursor must not see address 0
    constexpr auto base = uintptr_t{1} << 62;
    Count last = 0; // the next block may not begin before this
    char text[128];
    for (Cursor c(reinterpret_cast<const void *>(base + bias), 1, in_file, 0); c.blocks() > 0;) {
        auto first = static_cast<Count>(reinterpret_cast<uintptr_t>(c.address()) - base) - bias;
        auto length = static_cast<Count>(c.block_bytes());
        if (first < 0)
            return fail(MPI_ERR_TYPE, "%s is %s, which has a negative displacement (%lld)", name,
                        describe(given, text, sizeof text), static_cast<long long>(first));
        bool in_order = first >= last && (c.blocks() == 1 || c.stride() >= (writable ? length : 0));
        if (!in_order)
            return fail(MPI_ERR_TYPE, "%s is %s, whose displacements %s near byte %lld", name,
                        describe(given, text, sizeof text),
                        writable ? "decrease or overlap" : "decrease",
                        static_cast<long long>(first));
        last = first + (c.blocks() - 1) * c.stride() + (writable ? length : 0);
        c.skip_blocks(c.blocks());
    }
    return success;
}

// Checks that the filetype consists of whole etypes, and can be repeated.
Error check_sizes(const View &view) {
    char etype[128], filetype[128];
    describe(*view.etype, etype, sizeof etype);
    describe(*view.filetype, filetype, sizeof filetype);
    if (view.etype_bytes == 0)
        return fail(MPI_ERR_TYPE, "etype is %s, which has no data", etype);
    if (view.tile_bytes % view.etype_bytes != 0)
        return fail(MPI_ERR_TYPE,
                    "filetype is %s, whose size (%lld bytes) is not a multiple of the size of the "
                    "etype (%lld bytes, %s)",
                    filetype, static_cast<long long>(view.tile_bytes),
                    static_cast<long long>(view.etype_bytes), etype);
    if (view.tile_bytes > 0 && view.tile->extent <= 0)
        return fail(MPI_ERR_TYPE, "filetype is %s, whose extent is %lld: it cannot be repeated",
                    filetype, static_cast<long long>(view.tile->extent));
    return success;
}

// Sets the fields of a view that depend on the representation, and checks the datatypes as they are
// in the file.
Error prepare(View &view, Datatype &etype, bool writable) MAY_SUSPEND {
    Datatype *etype_in_file = nullptr;
    if (Error error = datatype_in_file(*view.representation, etype, etype_in_file))
        return error;
    Error error = datatype_in_file(*view.representation, *view.filetype, view.tile);
    if (!error) {
        view.etype_bytes = etype_in_file->size_bytes;
        view.tile_bytes = view.tile->size_bytes;
        error = check_sizes(view);
    }
    if (!error)
        error = check_order("etype", etype, *etype_in_file, true);
    if (!error)
        error = check_order("filetype", *view.filetype, *view.tile, writable);
    release(*etype_in_file);
    return error;
}

} // namespace

View *new_byte_view() {
    auto *view = new View;
    view->etype = view->filetype = view->tile = find_datatype(MPI_BYTE);
    return view;
}

// After an error release() frees what has been set so far.
Error new_view(Offset displacement, Datatype &etype, Datatype &filetype,
               const Representation &representation, bool writable, View *&result) {
    auto *view = new View;
    view->displacement = displacement;
    view->etype = &etype;
    view->filetype = &filetype;
    view->representation = &representation;
    retain(etype);
    retain(filetype);
    if (Error error = prepare(*view, etype, writable)) {
        release(*view);
        return error;
    }
    // Computed once: accesses through the usual views need no cursor then.
    view->linear = view->tile->contiguous;
    view->monotone = view->tile->true_extent <= view->tile->extent;
    result = view;
    return success;
}

void retain(View &view) {
    view.references.fetch_add(1, std::memory_order_relaxed);
}

void release(View &view) {
    // acq_rel [view-1]: the last user sees every other's use done.
    if (view.references.fetch_sub(1, std::memory_order_acq_rel) > 1)
        return;
    for (Datatype *datatype : {view.etype, view.filetype, view.tile})
        if (datatype)
            release(*datatype);
    delete &view;
}

Offset file_position(const View &view, Offset position) {
    if (view.linear)
        return view.displacement + position;
    if (view.tile_bytes == 0)
        return view.displacement;
    return FileCursor(view, position, 1).position();
}

// Binary search over the stream, along which file positions do not decrease in a monotone view.
Offset stream_position(const View &view, Offset file_position) {
    if (view.tile_bytes == 0 || file_position <= view.displacement)
        return 0;
    Offset inside = file_position - view.displacement;
    if (view.linear)
        return inside;
    // The tiles before `first` end before it, whether or not neighbouring tiles interleave.
    Offset extent = view.tile->extent;
    Offset span = view.tile->true_lower_bound + view.tile->true_extent;
    Offset first = std::max<Offset>(0, (inside - span) / extent);
    Offset low = first * view.tile_bytes; // every position below lies before file_position
    Offset high = (inside / extent + 1) * view.tile_bytes;
    while (low < high) {
        Offset middle = low + (high - low) / 2;
        FileCursor cursor(view, middle, 1);
        Offset here = cursor.position();
        if (here >= file_position)
            high = middle;
        else if (here + static_cast<Offset>(cursor.left()) > file_position)
            return middle + (file_position - here);
        else
            low = middle + static_cast<Offset>(cursor.left());
    }
    return low;
}

} // namespace thrum
