// MPI_Type_get_envelope and MPI_Type_get_contents (MPI 5.0 section 5.1.13). Arguments are kept as
// Contents (datatype/contents.h) in the order of the constructor; each goes to one of the three
// arrays by its form and by whether the datatype was made by a large-count function.
#include "datatype/constructors.h"
#include "datatype/contents.h"
#include "datatype/describe.h"
#include "entry/argument.h"
#include "entry/calls.h"
#include "entry/large_count.h"

namespace thrum::mpi {
namespace {

using Form = Contents::Form;

// How many arguments each array of MPI_Type_get_contents holds.
struct Envelope {
    Count integers = 0;
    Count addresses = 0;
    Count large_counts = 0;
    Count datatypes = 0;
    int combiner = MPI_COMBINER_NAMED;
};

// Counts the arguments by the array to which they go. A predefined datatype has none.
Envelope envelope_of(const Datatype &datatype) {
    Envelope envelope;
    if (!datatype.contents)
        return envelope;
    const Contents &contents = *datatype.contents;
    envelope.combiner = contents.combiner;
    envelope.datatypes = static_cast<Count>(contents.types.size());
    for (const Contents::Argument &argument : contents.arguments) {
        if (argument.form == Form::Integer)
            ++envelope.integers;
        else if (contents.large)
            ++envelope.large_counts;
        else
            ++(argument.form == Form::Count ? envelope.integers : envelope.addresses);
    }
    return envelope;
}

// Checks that an array of the caller is large enough.
Error check_capacity(const char *name, Count capacity, Count needed) {
    if (capacity >= needed)
        return success;
    return fail(MPI_ERR_ARG, "%s is %lld, but there are %lld", name,
                static_cast<long long>(capacity), static_cast<long long>(needed));
}

// Fails if the datatype was made by a large-count function: its arguments need not fit into int
// arrays.
Error check_small(const Datatype &datatype, const char *call) {
    if (!datatype.contents || !datatype.contents->large)
        return success;
    return fail(MPI_ERR_TYPE, "datatype was made by a large-count function, which needs %s_c",
                call);
}

// Returns the old datatypes. The caller frees what is not predefined, so it gets objects of its
// own, without attributes.
void hand_out_types(const Contents &contents, MPI_Datatype *types) {
    for (Datatype *type : contents.types) {
        *types++ = type->predefined ? handle_of(*type) : new_copy(*type);
    }
}

// Stores each argument in the array to which it belongs, in the order of the constructor.
void hand_out_arguments(const Contents &contents, int *integers, MPI_Aint *addresses,
                        MPI_Count *large_counts) {
    for (const Contents::Argument &argument : contents.arguments) {
        if (contents.large && argument.form != Form::Integer)
            *large_counts++ = argument.value;
        else if (argument.form == Form::Address)
            *addresses++ = argument.value;
        else
            *integers++ = static_cast<int>(argument.value);
    }
}

} // namespace

void note_large_counts(MPI_Datatype type) {
    if (Datatype *made = find_datatype(type))
        thrum::note_large_counts(*made);
}

// Fails for a datatype with large counts: its arguments need the large form.
Error type_get_envelope(Datatype &datatype, CountRef num_integers, CountRef num_addresses,
                        CountRef num_datatypes, int *combiner) {
    if (Error error = check_small(datatype, "MPI_Type_get_envelope"))
        return error;
    Envelope envelope = envelope_of(datatype);
    num_integers = envelope.integers;
    num_addresses = envelope.addresses;
    num_datatypes = envelope.datatypes;
    *combiner = envelope.combiner;
    return success;
}

// Works for all datatypes: small counts are returned in the small arrays.
Error type_get_envelope_c(Datatype &datatype, CountRef num_integers, CountRef num_addresses,
                          MPI_Count *num_large_counts, CountRef num_datatypes, int *combiner) {
    Envelope envelope = envelope_of(datatype);
    num_integers = envelope.integers;
    num_addresses = envelope.addresses;
    *num_large_counts = envelope.large_counts;
    num_datatypes = envelope.datatypes;
    *combiner = envelope.combiner;
    return success;
}

// The two forms differ only in the array of large counts, which is empty here.
Error type_get_contents(Datatype &datatype, Count max_integers, Count max_addresses,
                        Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
                        MPI_Datatype array_of_datatypes[]) {
    if (Error error = check_small(datatype, "MPI_Type_get_contents"))
        return error;
    return type_get_contents_c(datatype, max_integers, max_addresses, 0, max_datatypes,
                               array_of_integers, array_of_addresses, nullptr, array_of_datatypes);
}

// Nothing is stored before all arrays have been found large enough.
Error type_get_contents_c(Datatype &datatype, Count max_integers, Count max_addresses,
                          MPI_Count max_large_counts, Count max_datatypes, int array_of_integers[],
                          MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                          MPI_Datatype array_of_datatypes[]) {
    if (!datatype.contents) {
        char name[MPI_MAX_OBJECT_NAME + 32];
        return fail(MPI_ERR_TYPE, "datatype is %s, which has no contents",
                    describe(datatype, name, sizeof name));
    }
    Envelope envelope = envelope_of(datatype);
    if (Error error = check_capacity("max_integers", max_integers, envelope.integers))
        return error;
    if (Error error = check_capacity("max_addresses", max_addresses, envelope.addresses))
        return error;
    if (Error error = check_capacity("max_large_counts", max_large_counts, envelope.large_counts))
        return error;
    if (Error error = check_capacity("max_datatypes", max_datatypes, envelope.datatypes))
        return error;
    hand_out_arguments(*datatype.contents, array_of_integers, array_of_addresses,
                       array_of_large_counts);
    hand_out_types(*datatype.contents, array_of_datatypes);
    for (Count i = 0; i < envelope.datatypes; ++i)
        arg::note_made(MadeKind::Datatype, array_of_datatypes[i]);
    return success;
}

} // namespace thrum::mpi
