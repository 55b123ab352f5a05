// MPI 5.0 section 5.1.13: "The following defines what values are placed in each entry of the
// returned arrays depending on the datatype constructor used for datatype." Random nested datatypes
// of the large-count constructors are taken apart and made once more of what was returned.
// args: 20260102
// ranks: 2
#include <mpi.h>

#define FORM(name) MPI_##name##_c
typedef MPI_Count Number, Address;
#include "random_types.h"

enum { kMost = 60 };

static MPI_Datatype remake(int combiner, const int *i, const MPI_Count *l, const MPI_Datatype *d) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Count n = l[0];
    switch (combiner) {
    case MPI_COMBINER_DUP:
        MPI_Type_dup(d[0], &made);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        MPI_Type_contiguous_c(n, d[0], &made);
        break;
    case MPI_COMBINER_VECTOR:
        MPI_Type_vector_c(n, l[1], l[2], d[0], &made);
        break;
    case MPI_COMBINER_HVECTOR:
        MPI_Type_create_hvector_c(n, l[1], l[2], d[0], &made);
        break;
    case MPI_COMBINER_INDEXED:
        MPI_Type_indexed_c(n, l + 1, l + 1 + n, d[0], &made);
        break;
    case MPI_COMBINER_HINDEXED:
        MPI_Type_create_hindexed_c(n, l + 1, l + 1 + n, d[0], &made);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        MPI_Type_create_indexed_block_c(n, l[1], l + 2, d[0], &made);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        MPI_Type_create_hindexed_block_c(n, l[1], l + 2, d[0], &made);
        break;
    case MPI_COMBINER_STRUCT:
        MPI_Type_create_struct_c(n, l + 1, l + 1 + n, d, &made);
        break;
    case MPI_COMBINER_SUBARRAY:
        MPI_Type_create_subarray_c(i[0], l, l + i[0], l + 2 * i[0], i[1], d[0], &made);
        break;
    case MPI_COMBINER_DARRAY:
        MPI_Type_create_darray_c(i[0], i[1], i[2], l, i + 3, i + 3 + i[2], i + 3 + 2 * i[2],
                                 i[3 * i[2] + 3], d[0], &made);
        break;
    case MPI_COMBINER_RESIZED:
        MPI_Type_create_resized_c(d[0], l[0], l[1], &made);
        break;
    default:
        CHECK(0);
    }
    CHECK(made != MPI_DATATYPE_NULL);
    return made;
}

static MPI_Datatype rebuild(MPI_Datatype type) {
    MPI_Count ints, addresses, large, types;
    int combiner, i[kMost] = {0};
    MPI_Aint a[1];
    MPI_Count l[kMost] = {0};
    MPI_Datatype d[3];
    if (is_named(type))
        return type;
    CHECK_SUCCESS(MPI_Type_get_envelope_c(type, &ints, &addresses, &large, &types, &combiner));
    CHECK(ints <= kMost && addresses == 0 && large <= kMost && types <= 3);
    CHECK((large > 0) == (combiner != MPI_COMBINER_DUP));
    CHECK_SUCCESS(MPI_Type_get_contents_c(type, ints, addresses, large, types, i, a, l, d));
    for (int k = 0; k < types; ++k) {
        MPI_Datatype inner = rebuild(d[k]);
        drop(&d[k]);
        d[k] = inner;
    }
    MPI_Datatype made = remake(combiner, i, l, d);
    for (int k = 0; k < types; ++k)
        drop(&d[k]);
    return made;
}

int main(int argc, char **argv) {
    return check_random_types(argc, argv);
}
