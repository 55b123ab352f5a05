// MPI 5.0 section 11.7: "MPI must not contain features that compromise performance." Children that
// have ended, and from whom the parents have disconnected, leave nothing behind: many generations
// need no more mappings and hardly more memory than a few.
// ranks: 1 2
// ends: n + 480
// timeout: 120
#include "dynamic.h"

#include <unistd.h>

static char large[1 << 20]; // each child writes to all of it

static long count_mappings(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    long lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static long resident_kib(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    CHECK(fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * 4;
}

static void spawn_often(char *program, int times) {
    for (int i = 0; i < times; ++i) {
        MPI_Comm children = spawn_self(program, "child", 4);
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    }
}

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        memset(large, rank + 1, sizeof large);
        return part_from(&parent);
    }
    spawn_often(argv[0], 20);
    long mappings = count_mappings(), resident = resident_kib();
    spawn_often(argv[0], 100);
    if (rank == 0) {
        CHECK(count_mappings() < mappings + 60);
        CHECK(resident_kib() < resident + (64 << 10)); // 400 children wrote 400 MiB
    }
    return finish();
}
