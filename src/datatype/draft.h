// Draft: sums up the type map of a datatype under construction: size, bounds, alignment, basic
// types. Used by all constructors (constructors.cc says in which order).
#pragma once
#include "base/error.h"
#include "datatype/contents.h"
#include "datatype/layout.h"
#include "datatype/signature.h"

namespace thrum {

// Data and places are added separately, since a vector's data need one addition, and its bounds
// only the first and last block.
class Draft {
public:
    // Adds the data of `copies` elements of `type`, without a place.
    void add_data(const Datatype &type, __int128 copies);
    // Adds the places of `copies` elements, one extent apart, from `displacement` on.
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
    Datatype *finish(Contents *contents, const Layout *layout);

private:
    // The smallest interval that contains all that was included.
    struct Interval {
        __int128 low = 0;
        __int128 high = 0;
        bool empty = true;
        void include(__int128 from, __int128 to);
    };

    __int128 padded_extent() const;

    __int128 size_bytes_ = 0;
    __int128 basic_elements_ = 0;
    Interval bounds_;                 // of the lower bounds and extents
    Interval true_bounds_;            // of the data
    bool explicit_bounds_ = false;    // bounds_ has only those of resized types
    bool mixed_ = false;              // several basic types, or unknown ones
    const Datatype *basic_ = nullptr; // the only one, unless mixed_
    uint8_t alignment_ = 1;
    SignatureSum signature_;
};

// Makes a datatype with the same type map as `old`, and takes over `contents`. It is neither
// committed nor predefined.
Datatype *new_like(const Datatype &old, const Contents *contents);

} // namespace thrum
