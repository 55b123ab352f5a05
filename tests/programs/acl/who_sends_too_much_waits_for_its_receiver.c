// An asynchronous send waits while the receiver has 64 MiB that it has not received: who sends far
// more has not ended when the receiver begins. Nothing is lost, and the order is kept.
// ranks: 2
// options: --workers 2
// modes: fibers-2 os-threads processes
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/acl.h>
#include <unistd.h>

enum { MESSAGES = 200, BYTES = 1 << 20 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    acl_begin();
    char *data = malloc(BYTES);
    int has_ended = 0;
    if (acl_self_address() == 0) {
        for (int i = 0; i < MESSAGES; i++) {
            memset(data, i, BYTES);
            acl_async_send(1, 0, data, BYTES);
        }
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        for (int look = 0; look < 50 && !has_ended; look++) {
            usleep(10000);
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &has_ended, MPI_STATUS_IGNORE);
        }
        if (has_ended)
            printf("the sender has not waited\n");
        for (int i = 0; i < MESSAGES; i++) {
            acl_async_receive_block(0, 0, data, BYTES, NULL);
            if (data[0] != (char)i || data[BYTES - 1] != (char)i)
                abort();
        }
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(data);
    acl_end();
    MPI_Finalize();
    return has_ended;
}
