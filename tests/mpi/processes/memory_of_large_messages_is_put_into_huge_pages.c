// Memory out of which large messages go to another process of the node again and again is put into
// huge pages, if the system has them. The messages come whole before, then and afterwards, also
// out of memory that the sender writes in the meantime beside them, and that it has given back and
// allocated again.
//
// ranks: 2
// modes: processes
#define _GNU_SOURCE
#include "messages.h"
#include "variables.h"

#include <sys/mman.h>

enum { bytes = 1 << 20, rounds = 60, huge = 2 << 20, collapse = 25 };

// Whether it has, is what an attempt of the test's own says.
static int system_makes_huge_pages(void) {
    char text[64] = "[never]";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file) {
        if (!fgets(text, sizeof text, file))
            *text = 0;
        fclose(file);
    }
    char *memory = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *page = (char *)(((size_t)memory + huge - 1) / huge * huge);
    memset(memory, 1, 2 * huge);
    const int made = madvise(page, huge, collapse) == 0;
    munmap(memory, 2 * huge);
    return made && !strstr(text, "[never]");
}

static void exchange(char *memory, int round) {
    char *in = memory + bytes;
    const int other = 1 - rank;
    MPI_Request requests[2];
    fill_bytes(memory, bytes, rank + round);
    memset(in, 0, bytes);
    CHECK_SUCCESS(MPI_Irecv(in, bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Isend(memory, bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[1]));
    fill_bytes(memory + 2 * bytes, bytes, round);
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    check_bytes(in, bytes, other + round);
    check_bytes(memory + 2 * bytes, bytes, round);
}

int main(void) {
    start_with_errors_returned();
    start_tools();
    MPI_T_pvar_handle made = counted("huge_pages_made", MPI_T_PVAR_CLASS_COUNTER, NULL);
    for (int again = 0; again < 3; ++again) {
        char *memory = malloc(3 * bytes);
        CHECK(memory);
        for (int round = 0; round < rounds; ++round)
            exchange(memory, round);
        free(memory);
    }
    if (get_control("huge_pages") && system_makes_huge_pages())
        CHECK(value_of(made) > 0);
    else
        CHECK_EQUAL(value_of(made), 0);
    return finish();
}
