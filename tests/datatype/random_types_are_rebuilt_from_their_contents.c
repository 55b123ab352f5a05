// MPI 5.0 section 5.1.13: "The following defines what values are placed in each entry of the
// returned arrays depending on the datatype constructor used for datatype." Random nested datatypes
// are taken apart and made once more of what was returned: the copy selects the same bytes in the
// same order.
// args: 20260101
// ranks: 2
#include "rebuilt_types.h"

enum { kMost = 400, kTypes = 250 };

// Ascending, with gaps: blocks of `length` units each.
static void places(int n, int length, int unit, int displacements[], MPI_Aint addresses[]) {
    for (int i = 0, next = number(-2, 2); i < n; ++i) {
        displacements[i] = next;
        addresses[i] = (MPI_Aint)next * unit;
        next += length + number(0, 2);
    }
}

static MPI_Datatype make(int depth);

static MPI_Datatype make_array(MPI_Datatype old) {
    int dims = number(1, 3), sizes[3], parts[3], starts[3], kinds[3], arguments[3], grid[3],
        all = 1;
    const int every[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int order = number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    MPI_Datatype made;
    for (int i = 0; i < dims; ++i) {
        sizes[i] = number(1, 4);
        parts[i] = number(1, sizes[i]);
        starts[i] = number(0, sizes[i] - parts[i]);
        kinds[i] = every[number(0, 2)];
        grid[i] = kinds[i] == MPI_DISTRIBUTE_NONE ? 1 : number(1, 2);
        arguments[i] = kinds[i] == MPI_DISTRIBUTE_CYCLIC ? number(1, 2) : MPI_DISTRIBUTE_DFLT_DARG;
        all *= grid[i];
    }
    if (number(0, 1))
        CHECK_SUCCESS(MPI_Type_create_subarray(dims, sizes, parts, starts, order, old, &made));
    else
        CHECK_SUCCESS(MPI_Type_create_darray(all, number(0, all - 1), dims, sizes, kinds, arguments,
                                             grid, order, old, &made));
    return made;
}

static MPI_Datatype make_struct(int depth) {
    MPI_Datatype members[3], made;
    int n = number(1, 3), lengths[3];
    MPI_Aint addresses[3], next = number(-8, 8);
    for (int i = 0; i < n; ++i) {
        MPI_Aint lower, extent;
        members[i] = make(number(0, depth - 1));
        lengths[i] = number(0, 2);
        CHECK_SUCCESS(MPI_Type_get_extent(members[i], &lower, &extent));
        addresses[i] = next;
        next += lengths[i] * (extent > 0 ? extent : 8) + number(0, 9);
    }
    CHECK_SUCCESS(MPI_Type_create_struct(n, lengths, addresses, members, &made));
    for (int i = 0; i < n; ++i)
        drop(&members[i]);
    return made;
}

static MPI_Datatype make_from(MPI_Datatype old, int what) {
    int n = number(0, 3), length = number(1, 2), lengths[3] = {length, 1, length};
    int displacements[3];
    MPI_Aint addresses[3], lower, extent;
    MPI_Datatype made;
    CHECK_SUCCESS(MPI_Type_get_extent(old, &lower, &extent));
    places(n, length, (int)extent, displacements, addresses);
    switch (what) {
    case 0:
        CHECK_SUCCESS(MPI_Type_dup(old, &made));
        break;
    case 1:
        CHECK_SUCCESS(MPI_Type_contiguous(n, old, &made));
        break;
    case 2:
        CHECK_SUCCESS(MPI_Type_vector(n, length, number(-4, 4), old, &made));
        break;
    case 3:
        CHECK_SUCCESS(MPI_Type_create_hvector(n, length, extent * number(-4, 4) + 3, old, &made));
        break;
    case 4:
        CHECK_SUCCESS(MPI_Type_indexed(n, lengths, displacements, old, &made));
        break;
    case 5:
        CHECK_SUCCESS(MPI_Type_create_hindexed(n, lengths, addresses, old, &made));
        break;
    case 6:
        CHECK_SUCCESS(MPI_Type_create_indexed_block(n, length, displacements, old, &made));
        break;
    case 7:
        CHECK_SUCCESS(MPI_Type_create_hindexed_block(n, length, addresses, old, &made));
        break;
    case 8:
        CHECK_SUCCESS(MPI_Type_create_resized(old, number(-9, 9), extent + number(0, 9), &made));
        break;
    default:
        made = make_array(old);
    }
    return made;
}

static MPI_Datatype make(int depth) {
    const MPI_Datatype basic[] = {MPI_INT,       MPI_DOUBLE, MPI_CHAR,
                                  MPI_SHORT_INT, MPI_2INT,   MPI_LONG_DOUBLE};
    if (depth == 0)
        return basic[number(0, 5)];
    if (number(0, 4) == 0)
        return make_struct(depth);
    MPI_Datatype old = make(number(0, depth - 1)), made = make_from(old, number(0, 10));
    drop(&old);
    return made;
}

static MPI_Datatype rebuild(MPI_Datatype type);

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
    start_with_numbers(argc, argv);
    for (int i = 0; i < kTypes; ++i) {
        tell_state(i);
        MPI_Datatype type = make(number(0, 4)), copy = rebuild(type);
        check_same(type, copy);
        drop(&type);
        drop(&copy);
    }
    return finish();
}
