// MPI 5.0 section 11.8.2: "The command argument is a string containing the name of a program to be
// spawned." It may be a script: its interpreter runs it in processes of its own, wherever the
// parents are.
// ranks: 1 2
// ends: n + 2
#include "dynamic.h"

#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int sum;
    if (is_child()) {
        CHECK_EQUAL(size, 2);
        CHECK_EQUAL(argc, 3);
        CHECK(strcmp(argv[1], "by the script") == 0 && strcmp(argv[2], "child") == 0);
        CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, parent));
        return part_from(&parent);
    }
    char script[64];
    snprintf(script, sizeof script, "/tmp/thrum-script-%d-%d.sh", (int)getpid(), rank);
    if (rank == 0) {
        FILE *file = fopen(script, "w");
        fprintf(file, "#!/bin/sh\nexec %s 'by the script' \"$@\"\n", argv[0]);
        fclose(file);
        CHECK_EQUAL(chmod(script, 0755), 0);
    }
    MPI_Comm children = spawn_self(script, "child", 2);
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, children));
    CHECK_EQUAL(sum, 1);
    if (rank == 0)
        unlink(script);
    return part_from(&children);
}
