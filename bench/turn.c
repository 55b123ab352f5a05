/* turn OFFSET ...
 *
 * For turn.py, under lackey: rank 0 prints where the structures of all ranks are. Then all ranks
 * call MPI_Barrier a few times, between two writes of rank 0 to `mark`. The offsets are those of
 * the library's structures, in the order of `enum offset`. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum offset {
    rank_table,
    rank_bytes,
    rank_process,
    rank_thread_pointer,
    rank_stack_low,
    rank_stack_high,
    rank_worker,
    process_world,
    communicator_context,
    context_extensions,
    meeting_slots,
    meeting_leaves,
    offsets
};

enum { before = 5, counted = 3 };

volatile long mark;

static char *word(const char *base, long offset) {
    return *(char *const *)(base + offset);
}

static void print_rank(int number, const char *rank, const long *offset) {
    const char *process = word(rank, offset[rank_process]);
    const char *world = word(process, offset[process_world]);
    const char *context = word(world, offset[communicator_context]);
    const char *meeting = word(context, offset[context_extensions]);
    const void *found[] = {rank,
                           process,
                           world,
                           context,
                           meeting,
                           word(meeting, offset[meeting_slots]),
                           word(meeting, offset[meeting_leaves]),
                           word(rank, offset[rank_thread_pointer]),
                           word(rank, offset[rank_stack_low]),
                           word(rank, offset[rank_stack_high]),
                           word(rank, offset[rank_worker])};
    printf("rank %d", number);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        printf(" %lx", (unsigned long)(uintptr_t)found[i]);
    printf("\n");
}

static void print_places(const long *offset, int size) {
    Dl_info library;
    if (!dladdr((void *)(uintptr_t)MPI_Barrier, &library))
        MPI_Abort(MPI_COMM_WORLD, 2);
    const char *ranks = word(library.dli_fbase, offset[rank_table]);
    printf("mark %lx\n", (unsigned long)(uintptr_t)&mark);
    for (int i = 0; i < size; i++)
        print_rank(i, ranks + i * offset[rank_bytes], offset);
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        printf("map %s", line);
    fflush(stdout);
}

static void barriers(int count) {
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long offset[offsets];
    for (int i = 0; i < offsets; i++)
        offset[i] = i + 1 < argc ? atol(argv[i + 1]) : 0;
    barriers(1); /* all have called MPI_Init */
    if (rank == 0)
        print_places(offset, size);
    barriers(before);
    if (rank == 0)
        mark = 1;
    barriers(counted);
    if (rank == 0)
        mark = 2;
    barriers(1);
    MPI_Finalize();
    return 0;
}
