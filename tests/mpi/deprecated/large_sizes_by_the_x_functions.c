// MPI 5.0 section 16.4: "The description of MPI_TYPE_SIZE is applicable to this deprecated
// MPI_TYPE_SIZE_X accordingly" "The description of MPI_TYPE_GET_EXTENT is applicable to this
// deprecated MPI_TYPE_GET_EXTENT_X accordingly" "The description of MPI_STATUS_SET_ELEMENTS is
// applicable to this deprecated MPI_STATUS_SET_ELEMENTS_X accordingly"
// ranks: 1
#include "world.h"

int main(void) {
    start(NULL, NULL);
    const MPI_Count many = 1000000;
    MPI_Datatype million, padded, huge;
    CHECK_SUCCESS(MPI_Type_contiguous((int)many, MPI_INT, &million));
    CHECK_SUCCESS(MPI_Type_create_resized(million, -8, 16 * many, &padded));
    CHECK_SUCCESS(MPI_Type_contiguous((int)many, padded, &huge));
    CHECK_SUCCESS(MPI_Type_commit(&huge));
    MPI_Count size, lower, extent;
    CHECK_SUCCESS(MPI_Type_size_x(huge, &size));
    CHECK_EQUAL(size, 4 * many * many);
    CHECK_SUCCESS(MPI_Type_get_extent_x(huge, &lower, &extent));
    CHECK_EQUAL(lower, -8);
    CHECK_EQUAL(extent, 16 * many * many);
    CHECK_SUCCESS(MPI_Type_get_true_extent_x(huge, &lower, &extent));
    CHECK_EQUAL(lower, 0);
    CHECK_EQUAL(extent, 16 * many * (many - 1) + 4 * many);
    MPI_Status status;
    MPI_Count elements = 0;
    int small = 0;
    CHECK_SUCCESS(MPI_Status_set_elements_x(&status, huge, 3 * many * many + 5));
    CHECK_SUCCESS(MPI_Get_elements_x(&status, huge, &elements));
    CHECK_EQUAL(elements, 3 * many * many + 5);
    CHECK_SUCCESS(MPI_Get_elements(&status, huge, &small));
    CHECK_EQUAL(small, MPI_UNDEFINED);
    CHECK_SUCCESS(MPI_Status_set_elements_x(&status, MPI_INT, 7));
    CHECK_SUCCESS(MPI_Get_elements_x(&status, MPI_INT, &elements));
    CHECK_EQUAL(elements, 7);
    CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &small));
    CHECK_EQUAL(small, 7);
    CHECK_SUCCESS(MPI_Type_free(&million));
    CHECK_SUCCESS(MPI_Type_free(&padded));
    CHECK_SUCCESS(MPI_Type_free(&huge));
    MPI_Finalize();
    return 0;
}
