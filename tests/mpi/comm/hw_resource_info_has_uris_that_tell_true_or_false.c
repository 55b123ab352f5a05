// MPI 5.0 section 9.1.2: "This information is stored as ( key, value) pairs where each key is the
// name of a hardware resource type and its value is set to true if the calling MPI process is
// restricted to a single instance of a hardware resource of that type and false otherwise." "The
// keys stored in the hw_info object have a Uniform Resource Identifier (URI) format."
// ranks: 2
#define _GNU_SOURCE
#include "world.h"

#include <sched.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info;
    int keys, machines = 0, processors = 0;
    cpu_set_t set;
    CHECK_SUCCESS(MPI_Get_hw_resource_info(&info));
    CHECK_SUCCESS(MPI_Info_get_nkeys(info, &keys));
    for (int i = 0; i < keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1], value[6];
        int length = sizeof value, found;
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get_string(info, key, &length, value, &found);
        CHECK(found);
        CHECK(strstr(key, "://") && key[0] != ':');
        CHECK(strncmp(key, "mpi://", 6) != 0); // "reserved for exclusive use by the MPI standard"
        CHECK(strcmp(value, "true") == 0 || strcmp(value, "false") == 0);
        if (strcmp(key, "hwloc://Machine") == 0) {
            ++machines;
            CHECK(strcmp(value, "true") == 0);
        } else if (strcmp(key, "hwloc://PU") == 0 && sched_getaffinity(0, sizeof set, &set) == 0) {
            ++processors;
            CHECK_EQUAL(strcmp(value, "true") == 0, CPU_COUNT(&set) == 1);
        }
    }
    CHECK(machines == 1 && processors == 1);
    MPI_Info_free(&info); // "The user is responsible for freeing hw_info via MPI_INFO_FREE."
    CHECK(info == MPI_INFO_NULL);
    return finish();
}
