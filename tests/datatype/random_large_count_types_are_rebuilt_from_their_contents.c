// MPI 5.0 section 5.1.13: "The following defines what values are placed in each entry of the
// returned arrays depending on the datatype constructor used for datatype." Random nested datatypes
// of the large-count constructors are taken apart and made once more of what was returned.
// args: 20260102
// ranks: 2
#include "rebuilt_types.h"

enum { kMost = 60, kTypes = 250 };

static MPI_Datatype make(int depth);

// Ascending, with gaps: blocks of `length` units each.
static void places(int n, MPI_Count length, MPI_Count unit, MPI_Count in_units[],
                   MPI_Count in_bytes[]) {
    MPI_Count next = number(-2, 2);
    for (int i = 0; i < n; ++i) {
        in_units[i] = next;
        in_bytes[i] = next * unit;
        next += length + number(0, 2);
    }
}

static MPI_Datatype make_array(MPI_Datatype old) {
    const int every[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int dims = number(1, 3), kinds[3], arguments[3], grid[3], all = 1;
    int order = number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    MPI_Count sizes[3], parts[3], starts[3];
    MPI_Datatype made;
    for (int i = 0; i < dims; ++i) {
        sizes[i] = number(1, 4);
        parts[i] = number(1, (int)sizes[i]);
        starts[i] = number(0, (int)(sizes[i] - parts[i]));
        kinds[i] = every[number(0, 2)];
        grid[i] = kinds[i] == MPI_DISTRIBUTE_NONE ? 1 : number(1, 2);
        arguments[i] = kinds[i] == MPI_DISTRIBUTE_CYCLIC ? number(1, 2) : MPI_DISTRIBUTE_DFLT_DARG;
        all *= grid[i];
    }
    if (number(0, 1))
        CHECK_SUCCESS(MPI_Type_create_subarray_c(dims, sizes, parts, starts, order, old, &made));
    else
        CHECK_SUCCESS(MPI_Type_create_darray_c(all, number(0, all - 1), dims, sizes, kinds,
                                               arguments, grid, order, old, &made));
    return made;
}

static MPI_Datatype make_struct(int depth) {
    MPI_Datatype members[3], made;
    int n = number(1, 3);
    MPI_Count lengths[3], addresses[3], next = number(-8, 8);
    for (int i = 0; i < n; ++i) {
        MPI_Count lower, extent;
        members[i] = make(number(0, depth - 1));
        lengths[i] = number(0, 2);
        CHECK_SUCCESS(MPI_Type_get_extent_c(members[i], &lower, &extent));
        addresses[i] = next;
        next += lengths[i] * (extent > 0 ? extent : 8) + number(0, 9);
    }
    CHECK_SUCCESS(MPI_Type_create_struct_c(n, lengths, addresses, members, &made));
    for (int i = 0; i < n; ++i)
        drop(&members[i]);
    return made;
}

static MPI_Datatype make_from(MPI_Datatype old, int what) {
    int n = number(0, 3), length = number(1, 2);
    MPI_Count lengths[3] = {length, 1, length}, in_units[3], in_bytes[3], lower, extent;
    MPI_Datatype made;
    CHECK_SUCCESS(MPI_Type_get_extent_c(old, &lower, &extent));
    places(n, length, extent, in_units, in_bytes);
    switch (what) {
    case 0:
        CHECK_SUCCESS(MPI_Type_contiguous_c(n, old, &made));
        break;
    case 1:
        CHECK_SUCCESS(MPI_Type_vector_c(n, length, number(-4, 4), old, &made));
        break;
    case 2:
        CHECK_SUCCESS(MPI_Type_create_hvector_c(n, length, extent * number(-4, 4) + 3, old, &made));
        break;
    case 3:
        CHECK_SUCCESS(MPI_Type_indexed_c(n, lengths, in_units, old, &made));
        break;
    case 4:
        CHECK_SUCCESS(MPI_Type_create_hindexed_c(n, lengths, in_bytes, old, &made));
        break;
    case 5:
        CHECK_SUCCESS(MPI_Type_create_indexed_block_c(n, length, in_units, old, &made));
        break;
    case 6:
        CHECK_SUCCESS(MPI_Type_create_hindexed_block_c(n, length, in_bytes, old, &made));
        break;
    case 7:
        CHECK_SUCCESS(MPI_Type_create_resized_c(old, number(-9, 9), extent + number(0, 9), &made));
        break;
    default:
        made = make_array(old);
    }
    return made;
}

static MPI_Datatype make(int depth) {
    const MPI_Datatype basic[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_SHORT_INT};
    if (depth == 0)
        return basic[number(0, 3)];
    if (number(0, 4) == 0)
        return make_struct(depth);
    MPI_Datatype old = make(number(0, depth - 1)), made = make_from(old, number(0, 9));
    drop(&old);
    return made;
}

static MPI_Datatype remake(int combiner, const int *i, const MPI_Count *l, const MPI_Datatype *d) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Count n = l[0];
    switch (combiner) {
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
    CHECK(ints <= kMost && addresses == 0 && large > 0 && large <= kMost && types <= 3);
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
