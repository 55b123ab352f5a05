// MPI 5.0 section 15.3.8: "The call returns MPI_SUCCESS and a current timestamp in the argument
// timestamp if the source supports ad-hoc generation of timestamps. The call returns
// MPI_T_ERR_INVALID_INDEX if the index does not identify a valid source." "The ticks_per_seconds
// argument returns the number of ticks elapsed in one second for the timer used for the specific
// source."
// ranks: 1 2
#include "events.h"

#include <unistd.h>

int main(void) {
    start(NULL, NULL);
    start_tools();
    int num = 0;
    CHECK_CODE(MPI_T_source_get_num(&num), MPI_SUCCESS);
    CHECK(num >= 1);
    for (int i = 0; i < num; ++i) {
        char name[64], description[128];
        int length = sizeof name, description_length = sizeof description;
        MPI_T_source_order order;
        MPI_Count per_second = 0, most = 0, first = 0, second = 0;
        MPI_Info info;
        CHECK_CODE(MPI_T_source_get_info(i, name, &length, description, &description_length, &order,
                                         &per_second, &most, &info),
                   MPI_SUCCESS);
        CHECK(strlen(name) >= 1);
        CHECK(order == MPI_T_SOURCE_ORDERED || order == MPI_T_SOURCE_UNORDERED);
        CHECK_SUCCESS(MPI_Info_free(&info));
        CHECK_CODE(MPI_T_source_get_timestamp(i, &first), MPI_SUCCESS);
        double begin = MPI_Wtime();
        usleep(20000);
        double elapsed = MPI_Wtime() - begin;
        CHECK_CODE(MPI_T_source_get_timestamp(i, &second), MPI_SUCCESS);
        CHECK(second <= most);
        CHECK((double)(second - first) >= 0.9 * elapsed * (double)per_second);
    }
    MPI_Count time;
    CHECK_CODE(MPI_T_source_get_timestamp(num, &time), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_source_get_timestamp(0, NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_source_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
