// Sums of a type map under construction (draft.h). All figures are 128 bits wide and saturated or
// checked, as the program may pass any numbers: check() decides afterwards whether they fit.
#include "datatype/draft.h"

#include <cstdint>
#include <utility>

namespace thrum {

// Extends the interval so that it contains [from, to).
void Draft::Interval::include(__int128 from, __int128 to) {
    low = empty || from < low ? from : low;
    high = empty || to > high ? to : high;
    empty = false;
}

// Sums up saturated: a figure beyond the limit stays there, and check() reports it.
void Draft::add_data(const Datatype &type, __int128 copies) {
    if (copies == 0)
        return;
    // A product of three 63-bit numbers may overflow even 128 bits. No valid size comes near.
    constexpr __int128 limit = static_cast<__int128>(1) << 100;
    if (copies > limit || size_bytes_ > limit)
        size_bytes_ = limit;
    else if (type.size_bytes > 0)
        size_bytes_ += copies > INT64_MAX ? limit : copies * type.size_bytes;
    basic_elements_ += copies > INT64_MAX ? 0 : copies * type.basic_elements;
    if (type.alignment > alignment_)
        alignment_ = type.alignment;
    if (type.size_bytes == 0)
        return;
    signature_.add(type, copies > INT64_MAX ? 0 : static_cast<Count>(copies));
    mixed_ = mixed_ || !type.basic || (basic_ && basic_ != type.basic);
    basic_ = type.basic;
}

// Only elements with data, or with explicit bounds, belong to the type map. An element without
// either does not move the bounds. The first and the last copy suffice: those in between lie
// inside.
void Draft::add_span(const Datatype &type, __int128 displacement, __int128 copies) {
    bool in_type_map = type.size_bytes > 0 || type.explicit_bounds;
    if (copies == 0 || !in_type_map)
        return;
    __int128 first = displacement;
    __int128 last = displacement + (copies - 1) * type.extent;
    if (first > last)
        std::swap(first, last);
    if (type.size_bytes > 0)
        true_bounds_.include(first + type.true_lower_bound,
                             last + type.true_lower_bound + type.true_extent);
    // Section 5.1.6: if there are lb_marker and ub_marker entries, only these count.
    if (explicit_bounds_ && !type.explicit_bounds)
        return;
    if (type.explicit_bounds && !explicit_bounds_) {
        bounds_ = {};
        explicit_bounds_ = true;
    }
    bounds_.include(first + type.lower_bound,
                    last + static_cast<__int128>(type.lower_bound) + type.extent);
}

// Section 5.1.6: the extent is rounded up to the strictest alignment, unless bounds are explicit.
__int128 Draft::padded_extent() const {
    __int128 extent = bounds_.high - bounds_.low;
    if (explicit_bounds_)
        return extent;
    return (extent + alignment_ - 1) / alignment_ * alignment_;
}

// Every figure must fit by itself, and the length of the data, too: the layout is built with 64-bit
// differences.
Error Draft::check() const {
    __int128 figures[] = {size_bytes_,       bounds_.low,
                          padded_extent(),   true_bounds_.low,
                          true_bounds_.high, true_bounds_.high - true_bounds_.low};
    for (__int128 figure : figures)
        if (figure > INT64_MAX || figure < INT64_MIN)
            return fail(MPI_ERR_COUNT,
                        "the size or extent of the new datatype does not fit in 63 bits");
    return success;
}

// The datatype is contiguous if its data are one block that starts at its address and fills its
// extent.
Datatype *Draft::finish(Contents *contents, const Layout *layout) {
    Datatype *type = new_datatype();
    type->size_bytes = static_cast<Count>(size_bytes_);
    type->lower_bound = static_cast<Count>(bounds_.low);
    type->extent = static_cast<Count>(padded_extent());
    type->true_lower_bound = static_cast<Count>(true_bounds_.low);
    type->true_extent = static_cast<Count>(true_bounds_.high - true_bounds_.low);
    type->explicit_bounds = explicit_bounds_;
    type->alignment = alignment_;
    type->basic = mixed_ ? nullptr : basic_;
    type->basic_elements = static_cast<Count>(basic_elements_);
    type->layout = layout;
    type->contents = contents;
    signature_.finish(*type);
    type->contiguous =
        layout && layout->is_block() && layout->offset == 0 && layout->block_bytes == type->extent;
    return type;
}

// The layout is shared, not copied.
Datatype *new_like(const Datatype &old, const Contents *contents) {
    Datatype *type = new_datatype();
    type->size_bytes = old.size_bytes;
    type->lower_bound = old.lower_bound;
    type->extent = old.extent;
    type->true_lower_bound = old.true_lower_bound;
    type->true_extent = old.true_extent;
    type->contiguous = old.contiguous;
    type->explicit_bounds = old.explicit_bounds;
    type->alignment = old.alignment;
    type->basic = old.basic;
    type->basic_elements = old.basic_elements;
    type->layout = retain_layout(old.layout);
    type->contents = contents;
    copy_signature(old, *type);
    return type;
}

} // namespace thrum
