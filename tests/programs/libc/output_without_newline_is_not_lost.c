// ranks: 3
// expect: ^no newline from 2$
// expect: ^written directly by 1$
// expect: ^wide 0 \+$
// A rank's output appears at its end, also without a newline; write(2) and wide
// characters take the same way.
#define _GNU_SOURCE
#include "check.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

int main(int argc, char **argv) {
    int rank;
    char text[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        wprintf(L"wide %d %lc\n", rank, L'+');
    if (rank == 1) {
        struct iovec pieces[2] = {{text, 0}, {"\n", 1}};
        CHECK_EQUAL(write(STDOUT_FILENO, "written ", 8), 8);
        MPI_Barrier(MPI_COMM_WORLD);
        pieces[0].iov_len = (size_t)snprintf(text, sizeof text, "directly by %d", rank);
        CHECK_EQUAL(writev(STDOUT_FILENO, pieces, 2), (long)pieces[0].iov_len + 1);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 2)
        printf("no newline from %d", rank);
    return 0;
}
