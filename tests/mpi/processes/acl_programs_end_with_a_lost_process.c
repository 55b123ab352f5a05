// Rank 2 is killed between acl_begin and acl_end, while others wait for its messages, or that it
// takes theirs. No function of <thrum/acl.h> returns an error: although all handle MPI's errors,
// the job ends at once, in one line that names the lost rank and where the others are.
// ranks: 4
// exit: 137
// expect: rank 2 .* on .* was ended by signal 9 .*; not inside an MPI call;
// expect: ; the other processes cannot continue without it: 1 rank in acl_.*, 1 in acl_.*, 1 in acl_
// expect-not: DEADLOCK
// expect-not: survivor
// timeout: 20
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <thrum/acl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char data[1 << 20];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    acl_begin();
    if (acl_self_address() == 2) {
        usleep(500000);
        raise(SIGKILL);
    } else if (acl_self_address() == 0) {
        acl_send(2, data, sizeof data);
    } else if (acl_self_address() == 1) {
        acl_receive(2, data, sizeof data);
    } else {
        acl_message message;
        acl_async_receive_block(2, 1, data, sizeof data, &message);
    }
    puts("survivor");
    acl_end();
    MPI_Finalize();
    return 0;
}
