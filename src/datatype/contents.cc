// Contents of datatypes, their type map as blocks, and the life of datatype objects.
#include "datatype/contents.h"

#include "base/check.h"
#include "datatype/layout.h"
#include "datatype/predefined.h"

#include <cstdint>
#include <cstdlib>

namespace thrum {
namespace {

constinit ObjectPool<Datatype> pool;

} // namespace

// A value that does not fit into an int can only be returned as a large count.
void Contents::add(Form form, Count value) {
    arguments.push_back({value, form});
    if (form == Form::Count && (value > INT32_MAX || value < INT32_MIN))
        large = true;
}

void Contents::add(Form form, const Count *values, Count count) {
    for (Count i = 0; i < count; ++i)
        add(form, values[i]);
}

void Contents::add(Datatype &type) {
    retain(type);
    types.push_back(&type);
}

void note_large_counts(Datatype &datatype) {
    if (datatype.contents)
        const_cast<Contents *>(datatype.contents)->large = true;
}

// The number of blocks is the constructor's count. A datatype that is one run of another one, or
// that has an equivalent, is one block. A predefined one has none, except pairs.
Count block_count(const Datatype &datatype) {
    if (datatype.kind == BasicKind::Pair)
        return 2;
    if (!datatype.contents || datatype.predefined)
        return 0;
    const Contents &contents = *datatype.contents;
    switch (contents.combiner) {
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        return contents.arguments[0].value;
    default:
        return 1;
    }
}

// Returns the value or the index of a pair.
static TypeBlock pair_block(const Datatype &pair, Count index) {
    PairParts parts = pair_parts(pair);
    return index == 0 ? TypeBlock{parts.value, 1, 0}
                      : TypeBlock{parts.index, 1, parts.index_offset};
}

// Multiplies without overflow checks: the place of an empty block may be more than 63 bits away,
// but nobody looks there.
static Count place(Count a, Count b) {
    return static_cast<Count>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Reads the block from the constructor's arguments, which are kept in the order of
// MPI_Type_get_contents. So argument 0 is the count, and arrays follow each other.
TypeBlock block_at(const Datatype &datatype, Count index) {
    if (datatype.kind == BasicKind::Pair)
        return pair_block(datatype, index);
    const Contents &contents = *datatype.contents;
    if (contents.equivalent)
        return {contents.equivalent, 1, 0};
    const Datatype &old = *contents.types[0];
    auto argument = [&](Count i) {
        return contents.arguments[static_cast<size_t>(i)].value;
    };
    Count n = contents.arguments.empty() ? 0 : argument(0);
    switch (contents.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return {&old, 1, 0};
    case MPI_COMBINER_CONTIGUOUS:
        return {&old, n, 0};
    case MPI_COMBINER_VECTOR:
        return {&old, argument(1), place(place(index, argument(2)), old.extent)};
    case MPI_COMBINER_HVECTOR:
        return {&old, argument(1), place(index, argument(2))};
    case MPI_COMBINER_INDEXED:
        return {&old, argument(1 + index), place(argument(1 + n + index), old.extent)};
    case MPI_COMBINER_HINDEXED:
        return {&old, argument(1 + index), argument(1 + n + index)};
    case MPI_COMBINER_INDEXED_BLOCK:
        return {&old, argument(1), place(argument(2 + index), old.extent)};
    case MPI_COMBINER_HINDEXED_BLOCK:
        return {&old, argument(1), argument(2 + index)};
    case MPI_COMBINER_STRUCT:
        return {contents.types[static_cast<size_t>(index)], argument(1 + index),
                argument(1 + n + index)};
    default:
        CHECK(false, "combiner %d has no blocks", contents.combiner);
    }
}

// Releases a reference. If it was the last, the datatype joins `dead` and is freed by the caller.
static void drop(Datatype &datatype, std::vector<Datatype *> &dead) {
    if (datatype.predefined)
        return;
    // acq_rel [datatype-1]: the last user sees every other's use done before it frees.
    if (datatype.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        dead.push_back(&datatype);
}

void drop_contents(const Contents *contents, std::vector<Datatype *> &dead) {
    if (!contents)
        return;
    for (Datatype *type : contents->types)
        drop(*type, dead);
    if (contents->equivalent)
        drop(*contents->equivalent, dead);
    delete contents;
}

Datatype *new_datatype() {
    return pool.make();
}

void retain(Datatype &datatype) {
    if (!datatype.predefined)
        datatype.references.fetch_add(1, std::memory_order_relaxed);
}

// Releases without recursion, because a chain of derived datatypes may be arbitrarily long.
void release(Datatype &datatype) {
    if (datatype.predefined)
        return;
    std::vector<Datatype *> dead;
    drop(datatype, dead);
    while (!dead.empty()) {
        Datatype *last = dead.back();
        dead.pop_back();
        drop_contents(last->contents, dead);
        release_layout(last->layout);
        std::free(last->name);
        pool.destroy(last);
    }
}

} // namespace thrum
