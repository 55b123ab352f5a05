// MPI 5.0 section 16.3: "If such a key exists, it sets flag to true and returns the value in value,
// otherwise it sets flag to false and leaves value unchanged. valuelen is the number of characters
// available in value. If it is less than the actual size of the value, the value is truncated. In
// C, valuelen should be one less than the amount of allocated space to allow for the null
// terminator." "If key is not defined, valuelen is not touched and flag is set to false. The length
// returned in C does not include the end-of-string character."
// ranks: 1
#include "world.h"

int main(void) {
    char value[32];
    int flag = -1, length = -3;
    MPI_Info info; // at any time: before MPI_Init
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "color", "turquoise"));
    CHECK_SUCCESS(MPI_Info_get_valuelen(info, "color", &length, &flag));
    CHECK(flag);
    CHECK_EQUAL(length, 9);
    length = -3;
    CHECK_SUCCESS(MPI_Info_get_valuelen(info, "colour", &length, &flag));
    CHECK(!flag);
    CHECK_EQUAL(length, -3);
    CHECK_SUCCESS(MPI_Info_get(info, "color", 31, value, &flag));
    CHECK(flag && strcmp(value, "turquoise") == 0);
    memset(value, '#', sizeof value);
    CHECK_SUCCESS(MPI_Info_get(info, "color", 4, value, &flag));
    CHECK(flag && strcmp(value, "turq") == 0);
    CHECK_EQUAL(value[5], '#');
    CHECK_SUCCESS(MPI_Info_get(info, "colour", 31, value, &flag));
    CHECK(!flag && strcmp(value, "turq") == 0);
    start(NULL, NULL);
    CHECK_SUCCESS(MPI_Info_get(info, "color", 31, value, &flag));
    MPI_Finalize();
    CHECK_SUCCESS(MPI_Info_get(info, "color", 31, value, &flag));
    CHECK_SUCCESS(MPI_Info_free(&info));
    return 0;
}
