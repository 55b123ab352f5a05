// A large message to a PE in another process has two answers: that its receive has been reached,
// and that its data have been read. When the announcement arrives while the receive begins, another
// thread may send the second before the first: the sender waits for both. A signal handler that
// takes its time stops the receiver at any point; each round varies who comes first.
// ranks: 2 3
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <thrum/acl.h>

enum { BYTES = 20000, ROUNDS = 4000 };

static void dawdle(int steps) {
    for (volatile int i = 0; i < steps; i++)
        ;
}

static void interrupt(int signal) {
    (void)signal;
    dawdle(20000);
}

int main(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 150}, {0, 150}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    acl_begin();
    int self = acl_self_address(), last = acl_partition_size() - 1;
    unsigned char *data = malloc(BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        int sender = round % 2 ? last : 0, receiver = last - sender;
        dawdle((round * 7919 + self * 104729) % 4001);
        if (self == sender) {
            data[0] = (unsigned char)round;
            data[BYTES - 1] = (unsigned char)(round + 1);
            acl_send(receiver, data, BYTES);
        } else if (self == receiver) {
            size_t bytes = acl_receive(sender, data, BYTES);
            if (bytes != BYTES || data[0] != (unsigned char)round ||
                data[BYTES - 1] != (unsigned char)(round + 1)) {
                fprintf(stderr, "round %d: wrong data\n", round);
                abort();
            }
        }
    }
    free(data);
    acl_end();
    return 0;
}
