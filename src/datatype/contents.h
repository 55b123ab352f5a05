// Contents: how a datatype was constructed (MPI 5.0 section 5.1.13). It also gives its type map as
// a sequence of blocks, from which elements are counted and external32 is written.
#pragma once
#include "datatype/datatype.h"

#include <vector>

namespace thrum {

// How a datatype was constructed. Immutable once the datatype is known to anyone else.
struct Contents {
    // The constructor's arguments, in order. Which array of MPI_Type_get_contents holds an argument
    // depends on its form: a Count is an int or a large count, an Address an MPI_Aint or a large
    // count.
    enum class Form : uint8_t { Integer, Count, Address };

    struct Argument {
        Count value;
        Form form;
    };

    int combiner = MPI_COMBINER_NAMED;
    bool large = false; // made by a large-count function: all Counts and Addresses are large
    std::vector<Argument> arguments;
    std::vector<Datatype *> types; // the old datatypes; one reference each
    // Subarrays and distributed arrays: the same type map by simpler constructors; holds a
    // reference.
    Datatype *equivalent = nullptr;

    // Append arguments. A count that does not fit in an int makes all of them large.
    void add(Form form, Count value);
    void add(Form form, const Count *values, Count count);
    void add(Datatype &type); // takes a reference
};

// Records that a large-count function made the datatype, before anyone else knows it.
void note_large_counts(Datatype &datatype);

// A block of `copies` elements of `type`, one extent apart, the first at `displacement` bytes.
struct TypeBlock {
    const Datatype *type;
    Count copies;
    Count displacement;
};

// Iterate over the blocks of a datatype's type map, in order. A basic datatype has none. Blocks may
// be empty. `index` is from 0 to block_count() - 1.
Count block_count(const Datatype &datatype);
TypeBlock block_at(const Datatype &datatype, Count index);

// Frees `contents` and releases what it refers to. Appends datatypes that lost their last reference
// to `dead`, for release() to free.
void drop_contents(const Contents *contents, std::vector<Datatype *> &dead);

} // namespace thrum
