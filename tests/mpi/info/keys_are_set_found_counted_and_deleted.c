// MPI 5.0 chapter 10: MPI_INFO_SET "adds the (key,value) pair to info, and overrides the value if a
// value for the same key was previously set"; MPI_INFO_GET_NTHKEY "returns the nth defined key in
// info. Keys are numbered 0 ... N - 1 ... the number of a given key does not change as long as info
// is not modified with MPI_INFO_SET or MPI_INFO_DELETE."
// ranks: 1 3
#include "world.h"

static void check_value(MPI_Info info, const char *key, const char *expected) {
    char value[MPI_MAX_INFO_VAL] = "";
    int length = sizeof value, flag;
    CHECK_SUCCESS(MPI_Info_get_string(info, key, &length, value, &flag));
    CHECK_EQUAL(flag, expected != NULL);
    if (expected) {
        CHECK(strcmp(value, expected) == 0);
        CHECK_EQUAL(length, strlen(expected) + 1);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info;
    int count;
    char key[MPI_MAX_INFO_KEY];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); // for calls without a communicator
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_get_nkeys(info, &count);
    CHECK_EQUAL(count, 0);
    MPI_Info_set(info, "file", "a");
    MPI_Info_set(info, "File", "b"); // keys are case sensitive
    MPI_Info_set(info, "file", "another value");
    MPI_Info_get_nkeys(info, &count);
    CHECK_EQUAL(count, 2);
    check_value(info, "file", "another value");
    check_value(info, "File", "b");
    check_value(info, "none", NULL);
    int seen = 0;
    for (int n = 0; n < count; ++n) {
        CHECK_SUCCESS(MPI_Info_get_nthkey(info, n, key));
        seen |= strcmp(key, "file") == 0 ? 1 : strcmp(key, "File") == 0 ? 2 : 4;
    }
    CHECK_EQUAL(seen, 3);
    CHECK(MPI_Info_get_nthkey(info, 2, key) != MPI_SUCCESS);
    CHECK_SUCCESS(MPI_Info_delete(info, "file"));
    check_value(info, "file", NULL);
    CHECK_ERROR(MPI_Info_delete(info, "file"), MPI_ERR_INFO_NOKEY);
    MPI_Info_free(&info);
    CHECK(info == MPI_INFO_NULL);
    return finish();
}
