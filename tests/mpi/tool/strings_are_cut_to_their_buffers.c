// MPI 5.0 section 15.3.3: "On return, the function writes at most n-1 of the string's characters
// into the buffer, followed by a null terminator. If the returned string's length is greater than
// or equal to n, the string will be truncated to n-1 characters. In this case, the length of the
// string plus one (for the terminating null character) is returned in the length argument. If the
// user passes the null pointer as the buffer argument or passes 0 as the length argument, the
// function does not return the string and only returns the length of the string plus one in the
// length argument. If the user passes the null pointer as the length argument, the buffer argument
// is ignored and nothing is returned."
// ranks: 1
#include "variables.h"

static const char name[] = "eager_limit";

static int get_name(int index, char *buffer, int *length) {
    return MPI_T_cvar_get_info(index, buffer, length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

int main(void) {
    start_tools();
    int index;
    CHECK_CODE(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    for (int n = 0; n <= (int)sizeof name + 3; ++n) {
        char buffer[32];
        memset(buffer, '#', sizeof buffer);
        int length = n;
        CHECK_CODE(get_name(index, buffer, &length), MPI_SUCCESS);
        if (n == 0) {
            CHECK_EQUAL(length, sizeof name);
            CHECK_EQUAL(buffer[0], '#');
            continue;
        }
        size_t copied = n < (int)sizeof name ? (size_t)n - 1 : sizeof name - 1;
        CHECK_EQUAL(strlen(buffer), copied);
        CHECK(strncmp(buffer, name, copied) == 0);
        CHECK_EQUAL(buffer[copied + 1], '#');
        CHECK_EQUAL(length, sizeof name); // also when it fits, as other MPIs have it
    }
    int length = 5;
    CHECK_CODE(get_name(index, NULL, &length), MPI_SUCCESS);
    CHECK_EQUAL(length, sizeof name);
    char untouched[4] = "abc";
    CHECK_CODE(get_name(index, untouched, NULL), MPI_SUCCESS);
    CHECK(strcmp(untouched, "abc") == 0);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
