// ranks: 2 6
// timeout: 60
// System V message queues and semaphores, POSIX message queues.
#define _GNU_SOURCE
#include "pairs.h"

#include <errno.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

struct message {
    long type;
    int number;
};

static void system_v(int queue, int set) {
    for (int round = 0; round < ROUNDS; ++round) {
        struct message message = {1 + is_first, round};
        struct sembuf take = {(unsigned short)is_first, -1, 0},
                      give = {(unsigned short)!is_first, 1, 0};
        if (is_first) {
            CHECK_EQUAL(msgrcv(queue, &message, sizeof(int), 1, 0), sizeof(int));
            CHECK_EQUAL(message.number, round);
            message.type = 2;
        }
        CHECK_EQUAL(msgsnd(queue, &message, sizeof(int), 0), 0);
        if (!is_first) {
            CHECK_EQUAL(msgrcv(queue, &message, sizeof(int), 2, 0), sizeof(int));
            CHECK_EQUAL(semop(set, &give, 1), 0);
            CHECK_EQUAL(semop(set, &take, 1), 0);
        } else {
            CHECK_EQUAL(semop(set, &take, 1), 0);
            CHECK_EQUAL(semop(set, &give, 1), 0);
        }
    }
}

static void posix(int queues[2]) {
    for (int round = 0; round < ROUNDS; ++round) {
        char text[16];
        if (is_first)
            CHECK_EQUAL(mq_receive(queues[0], text, sizeof text, NULL), 2);
        CHECK_EQUAL(mq_send(queues[is_first], "x", 2, 0), 0);
        if (!is_first)
            CHECK_EQUAL(mq_receive(queues[1], text, sizeof text, NULL), 2);
    }
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ids[4] = {-1, -1, -1, -1};
    if (is_first) {
        ids[0] = msgget(IPC_PRIVATE, 0600);
        ids[1] = semget(IPC_PRIVATE, 2, 0600);
        CHECK(ids[0] >= 0 && ids[1] >= 0);
        struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
        for (int i = 0; i < 2; ++i) {
            char name[100];
            snprintf(name, sizeof name, "/thrum.queue.%d.%d.%d", (int)getpid(), rank, i);
            ids[2 + i] = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
            if (ids[2 + i] >= 0)
                CHECK_EQUAL(mq_unlink(name), 0);
        }
    }
    share(ids, 4);
    system_v(ids[0], ids[1]);
    if (ids[2] >= 0 && ids[3] >= 0) // the system may have none
        posix(ids + 2);
    if (is_first) {
        struct message message;
        CHECK_EQUAL(msgrcv(ids[0], &message, sizeof(int), 1, IPC_NOWAIT), -1);
        CHECK_EQUAL(errno, ENOMSG);
        CHECK_EQUAL(msgctl(ids[0], IPC_RMID, NULL), 0);
        CHECK_EQUAL(semctl(ids[1], 0, IPC_RMID), 0);
    }
    return finish();
}
