// Contents: how a datatype was constructed (MPI 5.0 section 5.1.13), and its type map as a sequence
// of blocks, from which elements are counted and external32 is written.
#pragma once
#include "datatype/datatype.h"

#include <vector>

namespace thrum {

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
    std::vector<Datatype *> types; // one reference each
    // Subarrays and distributed arrays: the same type map by simpler constructors; holds a
    // reference.
    Datatype *equivalent = nullptr;

    void add(Form form, Count value);
    void add(Form form, const Count *values, Count count);
    void add(Datatype &type); // takes a reference
};

// Records that a large-count function made the datatype, before anyone else knows it.
void note_large_counts(Datatype &datatype);

// A block of `copies` elements of `type`, one extent apart, the first at `displacement`.
struct TypeBlock {
    const Datatype *type;
    Count copies;
    Count displacement;
};

// Iterate over the blocks of a datatype's type map, in order. A basic datatype has none.
Count block_count(const Datatype &datatype);
TypeBlock block_at(const Datatype &datatype, Count index);

// Releases what `contents` refers to; appends datatypes that lost their last reference to `dead`.
void drop_contents(const Contents *contents, std::vector<Datatype *> &dead);

} // namespace thrum
