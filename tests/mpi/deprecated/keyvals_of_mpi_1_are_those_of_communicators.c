// MPI 5.0 section 16.1: "The following function is deprecated and is superseded by
// MPI_COMM_CREATE_KEYVAL in MPI-2.0. The language independent definition of the deprecated function
// is the same as that of the new function" "MPI_NULL_COPY_FN is a function that does nothing other
// than return flag = 0 and MPI_SUCCESS. MPI_DUP_FN is a simple-minded copy function that sets flag
// = 1, returns the value of attribute_val_in in attribute_val_out, and returns MPI_SUCCESS."
// ranks: 1 3
#include "world.h"

static int copies, deletions;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    CHECK(extra == &copies);
    ++copies;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    CHECK(extra == &copies);
    ++deletions;
    return MPI_SUCCESS;
}

static void *attribute(MPI_Comm comm, int keyval) {
    void *value = NULL;
    int flag = -1;
    CHECK_SUCCESS(MPI_Attr_get(comm, keyval, &value, &flag));
    return flag ? value : NULL;
}

int main(void) {
    start(NULL, NULL);
    int own, kept, lost, flag;
    char data[4];
    void *value;
    MPI_Comm other;
    CHECK_SUCCESS(MPI_Keyval_create(copy, delete, &own, &copies));
    CHECK_SUCCESS(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &kept, NULL));
    CHECK_SUCCESS(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &lost, NULL));
    CHECK(attribute(MPI_COMM_WORLD, own) == NULL);
    CHECK_SUCCESS(MPI_Attr_put(MPI_COMM_WORLD, own, &data[0]));
    CHECK_SUCCESS(MPI_Attr_put(MPI_COMM_WORLD, kept, &data[1]));
    CHECK_SUCCESS(MPI_Attr_put(MPI_COMM_WORLD, lost, &data[2]));
    CHECK(attribute(MPI_COMM_WORLD, own) == &data[0]);
    // The same attributes under the new names.
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, kept, &value, &flag));
    CHECK(flag && value == &data[1]);
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    CHECK_EQUAL(copies, 1);
    CHECK(attribute(other, own) == &data[1]);
    CHECK(attribute(other, kept) == &data[1]);
    CHECK(attribute(other, lost) == NULL);
    CHECK_SUCCESS(MPI_Attr_delete(other, own));
    CHECK_EQUAL(deletions, 1);
    CHECK(attribute(other, own) == NULL);
    CHECK_SUCCESS(MPI_Comm_free(&other));
    CHECK_EQUAL(deletions, 1);
    CHECK_SUCCESS(MPI_Attr_delete(MPI_COMM_WORLD, own));
    CHECK_EQUAL(deletions, 2);
    CHECK_SUCCESS(MPI_Keyval_free(&own));
    CHECK_EQUAL(own, MPI_KEYVAL_INVALID);
    CHECK_SUCCESS(MPI_Keyval_free(&kept));
    CHECK_SUCCESS(MPI_Comm_free_keyval(&lost));
    int *most = attribute(MPI_COMM_WORLD, MPI_TAG_UB);
    CHECK(most && *most >= 32767);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Attr_put(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, data), MPI_ERR_KEYVAL);
    CHECK_ERROR(MPI_Attr_get(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag), MPI_ERR_COMM);
    MPI_Finalize();
    return 0;
}
