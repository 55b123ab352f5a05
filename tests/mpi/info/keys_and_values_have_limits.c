// MPI 5.0 chapter 10: "If either key or value are longer than the respective maximum length, the
// call raises an error of class MPI_ERR_INFO_KEY or MPI_ERR_INFO_VALUE, respectively."
// ranks: 1 2
#include "world.h"

static char key[MPI_MAX_INFO_KEY + 10], value[MPI_MAX_INFO_VAL + 10], got[MPI_MAX_INFO_VAL + 10];

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); // for calls without a communicator
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info info;
    int flag, length = sizeof got, count;
    MPI_Info_create(&info);
    memset(key, 'k', MPI_MAX_INFO_KEY - 1); // constants of C count the null character
    memset(value, 'v', MPI_MAX_INFO_VAL - 1);
    CHECK_SUCCESS(MPI_Info_set(info, key, value));
    MPI_Info_get_string(info, key, &length, got, &flag);
    CHECK(flag && strcmp(got, value) == 0);
    CHECK_EQUAL(length, MPI_MAX_INFO_VAL);
    memset(key, 'k', sizeof key - 1);
    CHECK_ERROR(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    memset(value, 'v', sizeof value - 1);
    CHECK_ERROR(MPI_Info_set(info, "k", value), MPI_ERR_INFO_VALUE);
    CHECK_ERROR(MPI_Info_set(info, "", "v"), MPI_ERR_INFO_KEY);
    CHECK_ERROR(MPI_Info_set(MPI_INFO_NULL, "k", "v"), MPI_ERR_INFO);
    MPI_Info_get_nkeys(info, &count);
    CHECK_EQUAL(count, 1);
    MPI_Info_free(&info);
    return finish();
}
