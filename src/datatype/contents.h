// Contents: how a datatype was constructed (MPI 5.0 section 5.1.13), and the type map as a sequence
// of blocks, from which elements are counted and external32 is written.
#pragma once
#include "datatype/datatype.h"

#include <vector>

namespace thrum {

struct Contents {
    // An argument of the constructor, in its order. Which array of MPI_Type_get_contents it belongs
    // to depends on the form: a Count is an int, or a large count; so is an Address an MPI_Aint.
    enum class Form : uint8_t { Integer, Count, Address };

    struct Argument {
        Count value;
        Form form;
    };

    int combiner = MPI_COMBINER_NAMED;
    bool large = false; // made by a large-count function: all Counts and Addresses are large counts
    std::vector<Argument> arguments;
    std::vector<Datatype *> types; // a reference each
    // Subarrays and distributed arrays: the same type map by simpler constructors; a reference.
    Datatype *equivalent = nullptr;

    void add(Form form, Count value);
    void add(Form form, const Count *values, Count count);
    void add(Datatype &type); // takes a reference
};

// The datatype was made by a large-count function. Before anybody else knows it.
void note_large_counts(Datatype &datatype);

// `copies` elements of `type`, one extent apart, the first at `displacement`.
struct TypeBlock {
    const Datatype *type;
    Count copies;
    Count displacement;
};

// The blocks of a datatype's type map, in order. A basic datatype has none.
Count block_count(const Datatype &datatype);
TypeBlock block_at(const Datatype &datatype, Count index);

// Releases what `contents` refers to, appending datatypes that lost their last reference to `dead`.
void drop_contents(const Contents *contents, std::vector<Datatype *> &dead);

} // namespace thrum
