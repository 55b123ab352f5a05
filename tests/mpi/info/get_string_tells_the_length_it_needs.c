// MPI 5.0 chapter 10: MPI_INFO_GET_STRING: "If buflen is set to 0, value is not changed"; otherwise
// the value is cut off to fit with its null character, and buflen returns what the whole value
// needs.
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info;
    char buffer[32];
    int length = 0, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "k", "0123456789");
    memset(buffer, '#', sizeof buffer);
    MPI_Info_get_string(info, "k", &length, buffer, &flag);
    CHECK(flag);
    CHECK_EQUAL(length, 11);
    CHECK_EQUAL(buffer[0], '#');
    length = 5;
    MPI_Info_get_string(info, "k", &length, buffer, &flag);
    CHECK_EQUAL(length, 11);
    CHECK(strcmp(buffer, "0123") == 0);
    CHECK_EQUAL(buffer[5], '#');
    length = 11;
    MPI_Info_get_string(info, "k", &length, buffer, &flag);
    CHECK(strcmp(buffer, "0123456789") == 0);
    CHECK_EQUAL(buffer[11], '#');
    length = 7;
    MPI_Info_get_string(info, "absent", &length, buffer, &flag);
    CHECK(!flag);
    CHECK_EQUAL(length, 7);
    CHECK(strcmp(buffer, "0123456789") == 0);
    MPI_Info_free(&info);
    return finish();
}
