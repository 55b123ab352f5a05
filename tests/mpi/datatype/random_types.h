// Random nested datatypes, made by functions of one form. To be defined before: Number (of
// elements: int or MPI_Count), Address (MPI_Aint or MPI_Count), FORM(Type_vector) (MPI_Type_vector
// or _c).
#ifndef THRUM_TESTS_RANDOM_TYPES_H
#define THRUM_TESTS_RANDOM_TYPES_H
#include "rebuilt_types.h"

enum { kTypes = 250 };

// Ascending, with gaps: blocks of `length` units each.
static void places(int n, Number length, Address unit, Number displacements[],
                   Address addresses[]) {
    Number next = number(-2, 2);
    for (int i = 0; i < n; ++i) {
        displacements[i] = next;
        addresses[i] = next * unit;
        next += length + number(0, 2);
    }
}

static MPI_Datatype make(int depth);

static MPI_Datatype make_array(MPI_Datatype old) {
    int dims = number(1, 3), kinds[3], arguments[3], grid[3], all = 1;
    Number sizes[3], parts[3], starts[3];
    const int every[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int order = number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
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
        CHECK_SUCCESS(FORM(Type_create_subarray)(dims, sizes, parts, starts, order, old, &made));
    else
        CHECK_SUCCESS(FORM(Type_create_darray)(all, number(0, all - 1), dims, sizes, kinds,
                                               arguments, grid, order, old, &made));
    return made;
}

static MPI_Datatype make_struct(int depth) {
    MPI_Datatype members[3], made;
    int n = number(1, 3);
    Number lengths[3];
    Address addresses[3], next = number(-8, 8);
    for (int i = 0; i < n; ++i) {
        Address lower, extent;
        members[i] = make(number(0, depth - 1));
        lengths[i] = number(0, 2);
        CHECK_SUCCESS(FORM(Type_get_extent)(members[i], &lower, &extent));
        addresses[i] = next;
        next += lengths[i] * (extent > 0 ? extent : 8) + number(0, 9);
    }
    CHECK_SUCCESS(FORM(Type_create_struct)(n, lengths, addresses, members, &made));
    for (int i = 0; i < n; ++i)
        drop(&members[i]);
    return made;
}

static MPI_Datatype make_from(MPI_Datatype old, int what) {
    int n = number(0, 3), length = number(1, 2);
    Number lengths[3] = {length, 1, length}, displacements[3];
    Address addresses[3], lower, extent;
    MPI_Datatype made;
    CHECK_SUCCESS(FORM(Type_get_extent)(old, &lower, &extent));
    places(n, length, extent, displacements, addresses);
    switch (what) {
    case 0:
        CHECK_SUCCESS(MPI_Type_dup(old, &made));
        break;
    case 1:
        CHECK_SUCCESS(FORM(Type_contiguous)(n, old, &made));
        break;
    case 2:
        CHECK_SUCCESS(FORM(Type_vector)(n, length, number(-4, 4), old, &made));
        break;
    case 3:
        CHECK_SUCCESS(FORM(Type_create_hvector)(n, length, extent * number(-4, 4) + 3, old, &made));
        break;
    case 4:
        CHECK_SUCCESS(FORM(Type_indexed)(n, lengths, displacements, old, &made));
        break;
    case 5:
        CHECK_SUCCESS(FORM(Type_create_hindexed)(n, lengths, addresses, old, &made));
        break;
    case 6:
        CHECK_SUCCESS(FORM(Type_create_indexed_block)(n, length, displacements, old, &made));
        break;
    case 7:
        CHECK_SUCCESS(FORM(Type_create_hindexed_block)(n, length, addresses, old, &made));
        break;
    case 8:
        CHECK_SUCCESS(FORM(Type_create_resized)(old, number(-9, 9), extent + number(0, 9), &made));
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

static MPI_Datatype rebuild(MPI_Datatype type); // each form's own

static inline int check_random_types(int argc, char **argv) {
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
#endif
