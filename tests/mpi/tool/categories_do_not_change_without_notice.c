// MPI 5.0 section 15.3.9: "If two calls to this routine return the same update number, it is
// guaranteed that the category information has not changed between the two calls."
// ranks: 2
#include "variables.h"

static void snapshot(int *number, int *count, int members[20]) {
    CHECK_CODE(MPI_T_category_changed(number), MPI_SUCCESS);
    CHECK_CODE(MPI_T_category_get_num(count), MPI_SUCCESS);
    for (int i = 0; i < *count && i < 20; ++i) {
        int a, b, c;
        CHECK_CODE(MPI_T_category_get_info(i, NULL, NULL, NULL, NULL, &a, &b, &c), MPI_SUCCESS);
        members[i] = a * 10000 + b * 100 + c;
    }
}

int main(void) {
    int number[2], count[2], members[2][20] = {{0}};
    start_tools();
    snapshot(&number[0], &count[0], members[0]);
    start(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    snapshot(&number[1], &count[1], members[1]);
    CHECK(number[1] >= number[0]);
    if (number[1] == number[0]) {
        CHECK_EQUAL(count[0], count[1]);
        CHECK(memcmp(members[0], members[1], sizeof members[0]) == 0);
    }
    CHECK_CODE(MPI_T_category_changed(NULL), MPI_T_ERR_INVALID);
    MPI_Finalize();
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
