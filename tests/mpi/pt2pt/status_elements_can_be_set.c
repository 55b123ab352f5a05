// MPI 5.0 section 13.3: MPI_STATUS_SET_ELEMENTS "modifies the opaque part of status so calls to
// MPI_GET_ELEMENTS will return count"; MPI_STATUS_SET_CANCELLED does it for MPI_TEST_CANCELLED, and
// there are procedures for source, tag and error.
// ranks: 1
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    MPI_Status status = {0};
    MPI_Datatype triple;
    int count = -1, value = -1;
    MPI_Type_contiguous(3, MPI_DOUBLE, &triple);
    MPI_Type_commit(&triple);
    CHECK_SUCCESS(MPI_Status_set_elements(&status, triple, 7));
    CHECK_SUCCESS(MPI_Get_elements(&status, triple, &count));
    CHECK_EQUAL(count, 7);
    CHECK_SUCCESS(MPI_Get_count(&status, triple, &count));
    CHECK_EQUAL(count, MPI_UNDEFINED);
    CHECK_SUCCESS(MPI_Status_set_elements_c(&status, MPI_CHAR, 5000000000));
    MPI_Count large = 0;
    CHECK_SUCCESS(MPI_Get_elements_c(&status, MPI_CHAR, &large));
    CHECK_EQUAL(large, 5000000000);
    CHECK_SUCCESS(MPI_Get_count(&status, MPI_CHAR, &count));
    CHECK_EQUAL(count, MPI_UNDEFINED);
    CHECK_SUCCESS(MPI_Status_set_cancelled(&status, 1));
    CHECK_SUCCESS(MPI_Test_cancelled(&status, &value));
    CHECK(value);
    CHECK_SUCCESS(MPI_Status_set_source(&status, 11));
    CHECK_SUCCESS(MPI_Status_set_tag(&status, 12));
    CHECK_SUCCESS(MPI_Status_set_error(&status, MPI_ERR_OTHER));
    CHECK_EQUAL(status.MPI_SOURCE, 11);
    CHECK_EQUAL(status.MPI_TAG, 12);
    CHECK_EQUAL(status.MPI_ERROR, MPI_ERR_OTHER);
    CHECK_SUCCESS(MPI_Status_get_source(&status, &value));
    CHECK_EQUAL(value, 11);
    CHECK_SUCCESS(MPI_Status_get_tag(&status, &value));
    CHECK_EQUAL(value, 12);
    CHECK_SUCCESS(MPI_Status_get_error(&status, &value));
    CHECK_EQUAL(value, MPI_ERR_OTHER);
    // "the provided tag argument": also what no message has.
    CHECK_SUCCESS(MPI_Status_set_source(&status, MPI_ANY_SOURCE));
    CHECK_SUCCESS(MPI_Status_set_tag(&status, MPI_ANY_TAG));
    CHECK_EQUAL(status.MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    MPI_Type_free(&triple);
    MPI_Finalize();
    return 0;
}
