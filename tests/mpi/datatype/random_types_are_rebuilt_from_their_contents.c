// MPI 5.0 section 5.1.13: "The following defines what values are placed in each entry of the
// returned arrays depending on the datatype constructor used for datatype." Random nested datatypes
// are taken apart and made once more of what was returned: the copy selects the same bytes in the
// same order.
// args: 20260101
// ranks: 2
#include <mpi.h>

#define FORM(name) MPI_##name
typedef int Number;
typedef MPI_Aint Address;
#include "random_types.h"

enum { kMost = 400 };

static MPI_Datatype remake(int combiner, const int *i, const MPI_Aint *a, const MPI_Datatype *d) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int n = i[0];
    switch (combiner) {
    case MPI_COMBINER_DUP:
        MPI_Type_dup(d[0], &made);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        MPI_Type_contiguous(n, d[0], &made);
        break;
    case MPI_COMBINER_VECTOR:
        MPI_Type_vector(n, i[1], i[2], d[0], &made);
        break;
    case MPI_COMBINER_HVECTOR:
        MPI_Type_create_hvector(n, i[1], a[0], d[0], &made);
        break;
    case MPI_COMBINER_INDEXED:
        MPI_Type_indexed(n, i + 1, i + 1 + n, d[0], &made);
        break;
    case MPI_COMBINER_HINDEXED:
        MPI_Type_create_hindexed(n, i + 1, a, d[0], &made);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        MPI_Type_create_indexed_block(n, i[1], i + 2, d[0], &made);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        MPI_Type_create_hindexed_block(n, i[1], a, d[0], &made);
        break;
    case MPI_COMBINER_STRUCT:
        MPI_Type_create_struct(n, i + 1, a, d, &made);
        break;
    case MPI_COMBINER_SUBARRAY:
        MPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[3 * n + 1], d[0], &made);
        break;
    case MPI_COMBINER_DARRAY:
        n = i[2];
        MPI_Type_create_darray(i[0], i[1], n, i + 3, i + 3 + n, i + 3 + 2 * n, i + 3 + 3 * n,
                               i[4 * n + 3], d[0], &made);
        break;
    case MPI_COMBINER_RESIZED:
        MPI_Type_create_resized(d[0], a[0], a[1], &made);
        break;
    default:
        CHECK(0);
    }
    CHECK(made != MPI_DATATYPE_NULL);
    return made;
}

static MPI_Datatype rebuild(MPI_Datatype type) {
    int ints, addresses, types, combiner, i[kMost] = {0};
    MPI_Aint a[kMost];
    MPI_Datatype d[kMost];
    CHECK_SUCCESS(MPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_NAMED)
        return type;
    CHECK(ints <= kMost && addresses <= kMost && types <= kMost);
    CHECK_SUCCESS(MPI_Type_get_contents(type, ints, addresses, types, i, a, d));
    for (int k = 0; k < types; ++k) {
        MPI_Datatype inner = rebuild(d[k]);
        drop(&d[k]); // section 5.1.13: handles of derived datatypes are ours to free
        d[k] = inner;
    }
    MPI_Datatype made = remake(combiner, i, a, d);
    for (int k = 0; k < types; ++k)
        drop(&d[k]);
    return made;
}

int main(int argc, char **argv) {
    return check_random_types(argc, argv);
}
