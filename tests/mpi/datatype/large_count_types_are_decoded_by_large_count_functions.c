// MPI 5.0 section 5.1.13: "If the MPI_TYPE_GET_ENVELOPE variant without num_large_counts is invoked
// with a datatype that requires an output value of num_large_counts > 0, then an error of class
// MPI_ERR_TYPE is raised." What a large-count function was given are large counts, however small;
// MPI_Aint arguments of the others are addresses.
// ranks: 1
#include "messages.h"

static void check_envelope(MPI_Datatype type, int integers, int large_counts, int types,
                           int combiner) {
    MPI_Count ni = -1, na = -1, nl = -1, nd = -1;
    int found = -1, i, a, d;
    CHECK_SUCCESS(MPI_Type_get_envelope_c(type, &ni, &na, &nl, &nd, &found));
    CHECK_EQUAL(ni, integers);
    CHECK_EQUAL(na, 0);
    CHECK_EQUAL(nl, large_counts);
    CHECK_EQUAL(nd, types);
    CHECK_EQUAL(found, combiner);
    if (large_counts > 0)
        CHECK_ERROR(MPI_Type_get_envelope(type, &i, &a, &d, &found), MPI_ERR_TYPE);
    else
        CHECK_SUCCESS(MPI_Type_get_envelope(type, &i, &a, &d, &found));
}

// Also takes the contents; the arguments are `expected`.
static void check_large(MPI_Datatype *type, int integers, int large_counts, int combiner,
                        const MPI_Count *expected) {
    int small[8];
    MPI_Aint addresses[8];
    MPI_Count large[8];
    MPI_Datatype types[4];
    int of_struct = combiner == MPI_COMBINER_STRUCT ? 2 : 1;
    check_envelope(*type, integers, large_counts, of_struct, combiner);
    CHECK_SUCCESS(MPI_Type_get_contents_c(*type, integers, 0, large_counts, of_struct, small,
                                          addresses, large, types));
    for (int i = 0; i < large_counts; ++i)
        CHECK_EQUAL(large[i], expected[i]);
    CHECK(types[0] == MPI_INT);
    CHECK_ERROR(MPI_Type_get_contents(*type, 8, 8, 4, small, addresses, types), MPI_ERR_TYPE);
    CHECK_SUCCESS(MPI_Type_free(type));
}

int main(void) {
    start_with_errors_returned();
    MPI_Datatype type, copy;
    const MPI_Count lengths[] = {1, 2}, places[] = {0, 8}, sizes[] = {4, 5}, parts[] = {2, 3};
    const MPI_Count huge = (MPI_Count)3 << 31;

    CHECK_SUCCESS(MPI_Type_contiguous_c(3, MPI_INT, &type));
    check_large(&type, 0, 1, MPI_COMBINER_CONTIGUOUS, (MPI_Count[]){3});
    CHECK_SUCCESS(MPI_Type_contiguous_c(huge, MPI_INT, &type));
    check_large(&type, 0, 1, MPI_COMBINER_CONTIGUOUS, &huge);
    CHECK_SUCCESS(MPI_Type_vector_c(3, 2, 5, MPI_INT, &type));
    check_large(&type, 0, 3, MPI_COMBINER_VECTOR, (MPI_Count[]){3, 2, 5});
    CHECK_SUCCESS(MPI_Type_create_hvector_c(3, 2, 64, MPI_INT, &type));
    check_large(&type, 0, 3, MPI_COMBINER_HVECTOR, (MPI_Count[]){3, 2, 64});
    CHECK_SUCCESS(MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type));
    check_large(&type, 0, 5, MPI_COMBINER_INDEXED, (MPI_Count[]){2, 1, 2, 0, 8});
    CHECK_SUCCESS(MPI_Type_create_hindexed_c(2, lengths, places, MPI_INT, &type));
    check_large(&type, 0, 5, MPI_COMBINER_HINDEXED, (MPI_Count[]){2, 1, 2, 0, 8});
    CHECK_SUCCESS(MPI_Type_create_indexed_block_c(2, 3, places, MPI_INT, &type));
    check_large(&type, 0, 4, MPI_COMBINER_INDEXED_BLOCK, (MPI_Count[]){2, 3, 0, 8});
    CHECK_SUCCESS(MPI_Type_create_hindexed_block_c(2, 1, places, MPI_INT, &type));
    check_large(&type, 0, 4, MPI_COMBINER_HINDEXED_BLOCK, (MPI_Count[]){2, 1, 0, 8});
    CHECK_SUCCESS(
        MPI_Type_create_struct_c(2, lengths, places, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type));
    check_large(&type, 0, 5, MPI_COMBINER_STRUCT, (MPI_Count[]){2, 1, 2, 0, 8});
    CHECK_SUCCESS(MPI_Type_create_subarray_c(2, sizes, parts, (MPI_Count[]){1, 2}, MPI_ORDER_C,
                                             MPI_INT, &type));
    check_large(&type, 2, 6, MPI_COMBINER_SUBARRAY, (MPI_Count[]){4, 5, 2, 3, 1, 2});
    CHECK_SUCCESS(MPI_Type_create_resized_c(MPI_INT, -4, 16, &type));
    check_large(&type, 0, 2, MPI_COMBINER_RESIZED, (MPI_Count[]){-4, 16});

    // A duplicate has no counts; the other functions' types can be decoded by both.
    CHECK_SUCCESS(MPI_Type_vector_c(3, 2, 5, MPI_INT, &type));
    CHECK_SUCCESS(MPI_Type_dup(type, &copy));
    check_envelope(copy, 0, 0, 1, MPI_COMBINER_DUP);
    CHECK_SUCCESS(MPI_Type_free(&copy));
    CHECK_SUCCESS(MPI_Type_free(&type));
    CHECK_SUCCESS(MPI_Type_vector(3, 2, 5, MPI_INT, &type));
    check_envelope(type, 3, 0, 1, MPI_COMBINER_VECTOR);
    CHECK_SUCCESS(MPI_Type_free(&type));
    return finish();
}
