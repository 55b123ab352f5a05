// The constructors of derived datatypes, except array_types.cc and unnamed.cc. Each proceeds in the
// same order: a Draft sums up size and bounds with 128 bits and checks that they fit (check());
// then the layout is built, with 64-bit arithmetic that can no longer overflow; then the Draft
// makes the datatype from layout and contents.
#include "datatype/constructors.h"

#include "datatype/draft.h"

#include <memory>

namespace thrum {
namespace {

using Form = Contents::Form;

// Returns empty contents, owned until the datatype takes them over: an error frees them.
std::unique_ptr<Contents> new_contents(int combiner) {
    auto contents = std::make_unique<Contents>();
    contents->combiner = combiner;
    return contents;
}

// Errors name the element, since an array may be long.
Error check_blocklengths(Count count, const Count *blocklengths) {
    for (Count i = 0; i < count; ++i)
        if (blocklengths[i] < 0)
            return fail(MPI_ERR_COUNT,
                        "array_of_blocklengths[%lld] is %lld; it must not be negative",
                        static_cast<long long>(i), static_cast<long long>(blocklengths[i]));
    return success;
}

// Implements both vector constructors; `stride` is in bytes.
Error make_vector(Count count, Count blocklength, __int128 stride, Datatype &old,
                  std::unique_ptr<Contents> contents, Datatype *&result) {
    Draft draft;
    draft.add_data(old, static_cast<__int128>(count) * blocklength);
    if (count > 0) {
        draft.add_span(old, 0, blocklength);
        // A stride of more than 63 bits is refused separately, because the product might not fit in
        // 128.
        const bool fits = stride >= INT64_MIN && stride <= INT64_MAX;
        draft.add_span(old, fits ? (count - 1) * stride : count > 1 ? stride : 0, blocklength);
    }
    if (Error error = draft.check())
        return error;
    // Without a block, its length has not been checked.
    const Layout *block = count > 0 ? make_repeated(old.layout, blocklength, old.extent) : nullptr;
    const Layout *layout = make_repeated(block, count, static_cast<Count>(stride));
    release_layout(block);
    contents->add(old);
    result = draft.finish(contents.release(), layout);
    return success;
}

// The arguments that all constructors with a list of displacements have in common.
struct BlockList {
    Count count;
    const Count *blocklengths; // nullptr: all of `blocklength`
    Count blocklength;
    const Count *displacements;
    Count unit; // unit of the displacements, in bytes

    Count length(Count i) const { return blocklengths ? blocklengths[i] : blocklength; }
};

// Makes a datatype from a list of blocks. Empty blocks are kept in the contents, but are not part
// of the layout.
Error make_indexed(const BlockList &list, Datatype &old, std::unique_ptr<Contents> contents,
                   Datatype *&result) {
    Draft draft;
    for (Count i = 0; i < list.count; ++i) {
        draft.add_data(old, list.length(i));
        draft.add_span(old, static_cast<__int128>(list.displacements[i]) * list.unit,
                       list.length(i));
    }
    if (Error error = draft.check())
        return error;
    ListBuilder builder;
    for (Count i = 0; i < list.count; ++i)
        if (old.layout && list.length(i) > 0) // an empty block may be anywhere
            builder.add(list.displacements[i] * list.unit, old.layout, list.length(i), old.extent);
    contents->add(old);
    result = draft.finish(contents.release(), builder.finish());
    return success;
}

// With a length for each block: MPI_Type_indexed and MPI_Type_create_hindexed.
Error make_indexed_lengths(int combiner, const BlockList &list, Datatype &old, Datatype *&result) {
    if (Error error = check_blocklengths(list.count, list.blocklengths))
        return error;
    auto contents = new_contents(combiner);
    contents->add(Form::Count, list.count);
    contents->add(Form::Count, list.blocklengths, list.count);
    contents->add(combiner == MPI_COMBINER_INDEXED ? Form::Count : Form::Address,
                  list.displacements, list.count);
    return make_indexed(list, old, std::move(contents), result);
}

// With one length for all blocks.
Error make_indexed_block(int combiner, const BlockList &list, Datatype &old, Datatype *&result) {
    auto contents = new_contents(combiner);
    contents->add(Form::Count, list.count);
    contents->add(Form::Count, list.blocklength);
    contents->add(combiner == MPI_COMBINER_INDEXED_BLOCK ? Form::Count : Form::Address,
                  list.displacements, list.count);
    return make_indexed(list, old, std::move(contents), result);
}

} // namespace

Error new_contiguous(Count count, Datatype &old, Datatype *&result) {
    Draft draft;
    draft.add_block(old, 0, count);
    if (Error error = draft.check())
        return error;
    auto contents = new_contents(MPI_COMBINER_CONTIGUOUS);
    contents->add(Form::Count, count);
    contents->add(old);
    result = draft.finish(contents.release(), make_repeated(old.layout, count, old.extent));
    return success;
}

Error new_vector(Count count, Count blocklength, Count stride, Datatype &old, Datatype *&result) {
    auto contents = new_contents(MPI_COMBINER_VECTOR);
    contents->add(Form::Count, count);
    contents->add(Form::Count, blocklength);
    contents->add(Form::Count, stride);
    return make_vector(count, blocklength, static_cast<__int128>(stride) * old.extent, old,
                       std::move(contents), result);
}

Error new_hvector(Count count, Count blocklength, Count stride, Datatype &old, Datatype *&result) {
    auto contents = new_contents(MPI_COMBINER_HVECTOR);
    contents->add(Form::Count, count);
    contents->add(Form::Count, blocklength);
    contents->add(Form::Address, stride);
    return make_vector(count, blocklength, stride, old, std::move(contents), result);
}

Error new_indexed(Count count, const Count *blocklengths, const Count *displacements, Datatype &old,
                  Datatype *&result) {
    return make_indexed_lengths(MPI_COMBINER_INDEXED,
                                {count, blocklengths, 0, displacements, old.extent}, old, result);
}

Error new_hindexed(Count count, const Count *blocklengths, const Count *displacements,
                   Datatype &old, Datatype *&result) {
    return make_indexed_lengths(MPI_COMBINER_HINDEXED, {count, blocklengths, 0, displacements, 1},
                                old, result);
}

Error new_indexed_block(Count count, Count blocklength, const Count *displacements, Datatype &old,
                        Datatype *&result) {
    return make_indexed_block(MPI_COMBINER_INDEXED_BLOCK,
                              {count, nullptr, blocklength, displacements, old.extent}, old,
                              result);
}

Error new_hindexed_block(Count count, Count blocklength, const Count *displacements, Datatype &old,
                         Datatype *&result) {
    return make_indexed_block(MPI_COMBINER_HINDEXED_BLOCK,
                              {count, nullptr, blocklength, displacements, 1}, old, result);
}

// The order of the contents is that of MPI_Type_get_contents: count, lengths, displacements; the
// datatypes are kept apart.
Error new_struct(Count count, const Count *blocklengths, const Count *displacements,
                 Datatype *const *types, Datatype *&result) {
    if (Error error = check_blocklengths(count, blocklengths))
        return error;
    Draft draft;
    for (Count i = 0; i < count; ++i)
        draft.add_block(*types[i], displacements[i], blocklengths[i]);
    if (Error error = draft.check())
        return error;
    ListBuilder builder;
    auto contents = new_contents(MPI_COMBINER_STRUCT);
    for (Count i = 0; i < count; ++i) {
        builder.add(displacements[i], types[i]->layout, blocklengths[i], types[i]->extent);
        contents->add(*types[i]);
    }
    contents->add(Form::Count, count);
    contents->add(Form::Count, blocklengths, count);
    contents->add(Form::Address, displacements, count);
    result = draft.finish(contents.release(), builder.finish());
    return success;
}

// The data stay where they are, so the layout is shared with the old datatype; only the bounds
// change.
Error new_resized(Datatype &old, Count lower_bound, Count extent, Datatype *&result) {
    Count upper_bound;
    if (__builtin_add_overflow(lower_bound, extent, &upper_bound))
        return fail(MPI_ERR_ARG, "lb + extent is %lld + %lld, which does not fit in 63 bits",
                    static_cast<long long>(lower_bound), static_cast<long long>(extent));
    Draft draft;
    draft.add_block(old, 0, 1);
    auto contents = new_contents(MPI_COMBINER_RESIZED);
    contents->add(Form::Address, lower_bound);
    contents->add(Form::Address, extent);
    contents->add(old);
    result = draft.finish(contents.release(), retain_layout(old.layout));
    result->lower_bound = lower_bound;
    result->extent = extent;
    result->explicit_bounds = true;
    const Layout *layout = result->layout;
    result->contiguous =
        layout && layout->is_block() && layout->offset == 0 && layout->block_bytes == extent;
    return success;
}

Error new_duplicate(Datatype &old, Datatype *&result) {
    auto contents = new_contents(MPI_COMBINER_DUP);
    contents->add(old);
    result = new_like(old, contents.release());
    result->committed = old.committed; // section 5.1.10: a duplicate has the same state
    return success;
}

// The copy refers to the same old datatypes, each with a reference of its own.
Datatype *new_copy(const Datatype &old) {
    auto *contents = new Contents(*old.contents);
    for (Datatype *type : contents->types)
        retain(*type);
    if (contents->equivalent)
        retain(*contents->equivalent);
    Datatype *copy = new_like(old, contents);
    copy->committed = old.committed;
    return copy;
}

} // namespace thrum
