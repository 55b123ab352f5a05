// Draft: sums up the type map of a datatype under construction: size, bounds, alignment, basic
// types.
#pragma once
#include "base/error.h"
#include "datatype/contents.h"
#include "datatype/layout.h"

namespace thrum {

class Draft {
public:
    // Adds `copies` elements of `type` to the data, without a place.
    void add_data(const Datatype &type, __int128 copies);
    // Adds the places of elements: `copies` of them, one extent apart, from `displacement` on.
    void add_span(const Datatype &type, __int128 displacement, __int128 copies);

    // Adds one block: data and places.
    void add_block(const Datatype &type, Count displacement, Count copies) {
        add_data(type, copies);
        add_span(type, displacement, copies);
    }

    // Returns an error if a figure does not fit in MPI_Count. Must be called before the layout is
    // built, whose arithmetic relies on it.
    Error check() const;
    // Makes the datatype. Takes over `contents` and the reference to `layout`.
    Datatype *finish(Contents *contents, const Layout *layout) const;

private:
    struct Interval {
        __int128 low = 0;
        __int128 high = 0;
        bool empty = true;
        void include(__int128 from, __int128 to);
    };

    __int128 padded_extent() const;

    __int128 size_bytes_ = 0;
    __int128 basic_elements_ = 0;
    Interval bounds_;
    Interval true_bounds_;
    bool explicit_bounds_ = false;
    bool mixed_ = false;
    const Datatype *basic_ = nullptr;
    uint8_t alignment_ = 1;
};

// Makes a datatype with the same type map as `old`, and takes over `contents`. It is neither
// committed nor predefined.
Datatype *new_like(const Datatype &old, const Contents *contents);

} // namespace thrum
