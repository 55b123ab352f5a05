/* Tests of the SX-4 device: each step moves messages of any size unchanged and in order, between
 * processes and between threads. The limits are small, so that each protocol and each way is used
 * within a second. Arguments: names of tests; without any, all run. */
#include "sx4/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ranks = 4, size_max = 5000, burst = 200, random_messages = 400 };

static const char *const steps[] = {"semaphores", "slots-semaphores", "locked", "slots",
                                    "both",       "single-copy"};
static unsigned seed;

static unsigned next_random(unsigned *state) {
    return (*state = *state * 1664525u + 1013904223u) >> 8;
}

static void fill(unsigned char *data, size_t size_bytes, unsigned number) {
    for (size_t i = 0; i < size_bytes; i++)
        data[i] = (unsigned char)(i * 31 + (i >> 8) * 3 + number * 17 + 1);
}

static int differs(const unsigned char *data, size_t received, size_t size_bytes, unsigned number) {
    static _Thread_local unsigned char expected[size_max];
    fill(expected, size_bytes, number);
    if (received == size_bytes && !memcmp(data, expected, size_bytes))
        return 0;
    fprintf(stderr, "message %u of %zu bytes arrived changed (%zu bytes)\n", number, size_bytes,
            received);
    return 1;
}

/* Sends to the right and receives from the left. Even ranks send first: a rendezvous waits. */
static int every_size_arrives_unchanged(struct endpoint *endpoint, int rank, const void *argument) {
    static const size_t around[] = {0, 64, 1024, 2048, 3072, 4096};
    unsigned char out[size_max], in[size_max];
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    (void)argument;
    for (unsigned i = 0; i < sizeof around / sizeof *around * 3; i++) {
        size_t size_bytes = around[i / 3] + i % 3 - (around[i / 3] ? 1 : 0), received = 0;
        fill(out, size_bytes, i);
        memset(in, 0, sizeof in);
        for (int turn = 0; turn < 2; turn++)
            if (turn == rank % 2)
                send_message(endpoint, right, out, size_bytes);
            else
                received = receive_message(endpoint, left, in, sizeof in);
        if (differs(in, received, size_bytes, i))
            return 1;
    }
    return 0;
}

/* All ranks send to all others more than slots and queue can hold, and then receive. Messages
 * above the eager limit would wait for their receivers, so there are none. */
static int bursts_wait_in_order(struct endpoint *endpoint, int rank, const void *argument) {
    const struct design *design = argument;
    size_t sizes[] = {1, design->short_bytes_max, 0, 33};
    unsigned char data[size_max];
    for (unsigned i = 0; i < burst; i++)
        for (int dest = 0; dest < ranks; dest++)
            if (dest != rank) {
                fill(data, sizes[i % 4], i + (unsigned)rank);
                send_message(endpoint, dest, data, sizes[i % 4]);
            }
    for (int source = 0; source < ranks; source++)
        for (unsigned i = 0; source != rank && i < burst; i++) {
            size_t received = receive_message(endpoint, source, data, sizeof data);
            if (differs(data, received, sizes[i % 4], i + (unsigned)source))
                return 1;
        }
    return 0;
}

/* Ranks 1 to 3 send messages of random sizes to rank 0, which receives them in a random order of
 * the ranks, and answers some of them. */
static int random_messages_arrive_in_order(struct endpoint *endpoint, int rank,
                                           const void *argument) {
    unsigned char data[size_max];
    unsigned states[ranks], sent[ranks] = {0}, order = seed;
    (void)argument;
    for (int i = 0; i < ranks; i++)
        states[i] = seed + (unsigned)i;
    for (unsigned left = rank ? random_messages : random_messages * (ranks - 1); left > 0; left--) {
        int sender = rank;
        while (sender == 0 || sent[sender] == random_messages)
            sender = (int)(next_random(&order) % ranks);
        unsigned number = sent[sender]++;
        size_t size_bytes = next_random(&states[sender]) % size_max;
        int is_answered = next_random(&states[sender]) % 4 == 0;
        if (rank) {
            fill(data, size_bytes, number);
            send_message(endpoint, 0, data, size_bytes);
        } else if (differs(data, receive_message(endpoint, sender, data, sizeof data), size_bytes,
                           number)) {
            return 1;
        }
        if (is_answered && rank) {
            receive_message(endpoint, 0, data, 0);
        } else if (is_answered) {
            send_message(endpoint, sender, data, 0);
        }
    }
    return 0;
}

/* Rank 1 waits for the answer to a rendezvous while messages of the same rank arrive: the first is
 * in its list by then, since it received rank 2's message first, and the second comes meanwhile. */
static int messages_wait_during_a_rendezvous(struct endpoint *endpoint, int rank,
                                             const void *argument) {
    unsigned char data[size_max], small[2][10];
    (void)argument;
    fill(data, size_max, 0);
    fill(small[0], sizeof small[0], 1);
    fill(small[1], sizeof small[1], 2);
    if (rank == 0) {
        send_message(endpoint, 1, small[0], sizeof small[0]);
        send_message(endpoint, 2, NULL, 0);
        receive_message(endpoint, 1, NULL, 0);
        send_message(endpoint, 1, small[1], sizeof small[1]);
        memset(data, 0, sizeof data);
        return differs(data, receive_message(endpoint, 1, data, sizeof data), size_max, 0);
    }
    if (rank == 1) {
        receive_message(endpoint, 2, NULL, 0);
        send_message(endpoint, 0, NULL, 0);
        send_message(endpoint, 0, data, size_max);
        for (unsigned i = 0; i < 2; i++)
            if (differs(data, receive_message(endpoint, 0, data, sizeof data), 10, i + 1))
                return 1;
    }
    if (rank == 2) {
        receive_message(endpoint, 0, NULL, 0);
        send_message(endpoint, 1, NULL, 0);
    }
    return 0;
}

static const struct {
    const char *name;
    int (*body)(struct endpoint *endpoint, int rank, const void *argument);
} tests[] = {
    {"every_size_arrives_unchanged", every_size_arrives_unchanged},
    {"bursts_wait_in_order", bursts_wait_in_order},
    {"random_messages_arrive_in_order", random_messages_arrive_in_order},
    {"messages_wait_during_a_rendezvous", messages_wait_during_a_rendezvous},
};

static int run(size_t test, const char *step, enum ranks_are kind) {
    struct design design;
    if (!design_of_step(step, &design))
        return 1;
    if (design.single_copy && kind == ranks_are_processes)
        return 0;
    design.short_bytes_max = 64;
    design.eager_bytes_max = design.single_copy ? 64 : 2048;
    design.segment_bytes = 1024;
    design.eager_pool_bytes = 8192;
    int failed = run_ranks(&design, ranks, kind, tests[test].body, &design);
    if (design.slots) { /* once more with slots that are used in a circle */
        design.slots = 3;
        failed |= run_ranks(&design, ranks, kind, tests[test].body, &design);
    }
    printf("%s: %s, %s, %s\n", failed ? "FAILED" : "passed", tests[test].name, step,
           kind == ranks_are_threads ? "threads" : "processes");
    return failed;
}

int main(int argc, char **argv) {
    const char *given = getenv("THRUM_TEST_SEED");
    int failed = 0;
    seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("THRUM_TEST_SEED=%u\n", seed);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            if (argc < 2 || !strcmp(argv[1], tests[i].name))
                failed |=
                    run(i, steps[s], ranks_are_processes) | run(i, steps[s], ranks_are_threads);
    return failed;
}
