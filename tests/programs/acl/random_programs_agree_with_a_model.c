// Random programs of all operations from a seed, against a sequential model. All ranks compute the
// same list of steps; each does its part of every step, in the order of the list, so that
// synchronous messages cannot deadlock and the model is the list done by one. Lengths are on both
// sides of what travels in one piece. THRUM_TEST_SEED repeats a failure.
// ranks: 2 3 5 8
// timeout: 120
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/acl.h>
#include <unistd.h>

enum { STEPS = 600, WORDS_MAX = 40000, WAITING_MAX = STEPS };

enum kind { SEND, RING, ASYNC_SEND, ASYNC_RECEIVE, BROADCAST, TREE, SWAP, KINDS };

struct step {
    enum kind kind;
    int number, source, dest, tag; // the number gives the content
    int any_tag;
    size_t words;
};

static int self, size;
static uint64_t seed, state;
static uint32_t data[WORDS_MAX], room[WORDS_MAX + 1], model[WORDS_MAX];
static struct step waiting[WAITING_MAX]; // sent asynchronously and not received, oldest first
static int waiting_count;

static void wrong(const char *what, const struct step *step) {
    printf("rank %d of %d, step %d (kind %d, from %d to %d, %zu words): %s; THRUM_TEST_SEED=%llu\n",
           self, size, step->number, (int)step->kind, step->source, step->dest, step->words, what,
           (unsigned long long)seed);
    fflush(stdout);
    abort();
}

static int below(int limit) { // xorshift64*
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((state * 2685821657736338717u) >> 33) % limit;
}

static uint32_t word(int number, size_t i) {
    return (uint32_t)number * 2654435761u + (uint32_t)i * 40503u;
}

static void fill(uint32_t *words, int number, size_t count) {
    for (size_t i = 0; i < count; i++)
        words[i] = word(number, i);
}

static void expect(const uint32_t *words, int number, size_t count, const struct step *step) {
    for (size_t i = 0; i < count; i++)
        if (words[i] != word(number, i))
            wrong("other data than sent", step);
}

static size_t length(void) {
    static const int classes[] = {1, 3, 300, 1100, 5000, WORDS_MAX};
    return (size_t)below(classes[below(6)]);
}

static void send(const struct step *step) {
    if (step->dest == step->source)
        return;
    if (self == step->source) {
        fill(data, step->number, step->words);
        acl_send(step->dest, data, 4 * step->words);
    } else if (self == step->dest) {
        room[step->words] = 1;
        if (acl_receive(step->source, room, 4 * (step->words + 1)) != 4 * step->words)
            wrong("another length than sent", step);
        expect(room, step->number, step->words, step);
        if (room[step->words] != 1)
            wrong("more than the message was written", step);
    }
}

// A random cycle of some of the ranks.
static void ring(const struct step *step) {
    int order[64];
    for (int i = 0; i < size; i++)
        order[i] = i;
    for (int i = size - 1; i > 0; i--) {
        int j = below(i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    int count = 1 + below(size);
    for (int i = 0; i < count; i++) {
        if (order[i] != self)
            continue;
        int dest = order[(i + 1) % count], source = order[(i + count - 1) % count];
        fill(data, step->number + self, step->words);
        if (acl_send_and_receive(dest, data, 4 * step->words, source, room, 4 * step->words) !=
            4 * step->words)
            wrong("another length than sent", step);
        expect(room, step->number + source, step->words, step);
    }
}

static void async_send(const struct step *step) {
    waiting[waiting_count++] = *step;
    if (self != step->source)
        return;
    fill(data, step->number, step->words);
    acl_async_send(step->dest, step->tag, data, 4 * step->words);
}

// Any of those that wait is asked for; the oldest that matches must come.
static void async_receive(void) {
    if (waiting_count == 0)
        return;
    struct step wanted = waiting[below(waiting_count)];
    int any_tag = below(2), oldest = 0, blocks = below(2);
    while (waiting[oldest].source != wanted.source || waiting[oldest].dest != wanted.dest ||
           (!any_tag && waiting[oldest].tag != wanted.tag))
        oldest++;
    struct step step = waiting[oldest];
    memmove(waiting + oldest, waiting + oldest + 1,
            (size_t)(--waiting_count - oldest) * sizeof *waiting);
    if (self != step.dest)
        return;
    acl_message message;
    int tag = any_tag ? ACL_ANY : step.tag;
    if (blocks)
        acl_async_receive_block(step.source, tag, room, sizeof room, &message);
    else
        while (!acl_async_receive(step.source, tag, room, sizeof room, &message))
            ;
    if (message.source != step.source || message.tag != step.tag || message.bytes != 4 * step.words)
        wrong("another message than the oldest", &step);
    expect(room, step.number, step.words, &step);
}

static void broadcast(const struct step *step) {
    if (self == step->source)
        fill(data, step->number, step->words);
    acl_broadcast(step->source, data, 4 * step->words);
    expect(data, step->number, step->words, step);
}

// The first that is not 0: associative, and does not commute.
static void first(const void *lower, const void *higher, void *result, size_t count) {
    const uint32_t *low = lower, *high = higher;
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)result)[i] = low[i] ? low[i] : high[i];
}

static uint32_t contribution(const struct step *step, int rank, size_t i) {
    return ((size_t)rank + i) % 3 == 0 ? 0 : word(step->number + rank, i) | 1;
}

static void reduce(const struct step *step) {
    for (size_t i = 0; i < step->words; i++) {
        data[i] = contribution(step, self, i);
        model[i] = 0;
        for (int rank = 0; rank < size && model[i] == 0; rank++)
            model[i] = contribution(step, rank, i);
    }
    (step->kind == TREE ? acl_reduce_by_tree : acl_reduce_by_binary_swap)(step->source, data,
                                                                          step->words, 4, first);
    if (self == step->source && memcmp(data, model, 4 * step->words) != 0)
        wrong("another result than the model's", step);
}

static void do_step(int number) {
    struct step step = {.kind = (enum kind)below(KINDS), .number = 100 * number};
    step.source = below(size);
    step.dest = below(size);
    step.tag = below(3);
    step.words = length();
    switch (step.kind) {
    case SEND:
        send(&step);
        break;
    case RING:
        ring(&step);
        break;
    case ASYNC_SEND:
        async_send(&step);
        break;
    case ASYNC_RECEIVE:
        async_receive();
        break;
    case BROADCAST:
        broadcast(&step);
        break;
    default:
        reduce(&step);
    }
}

int main(void) {
    acl_begin();
    self = acl_self_address();
    size = acl_partition_size();
    const char *text = getenv("THRUM_TEST_SEED");
    seed = text ? strtoull(text, NULL, 10) : (uint64_t)getpid() * 1000003 + (uint64_t)size;
    acl_broadcast(0, &seed, sizeof seed);
    state = seed * 2 + 1;
    for (int number = 0; number < STEPS; number++)
        do_step(number);
    while (waiting_count > 0)
        async_receive();
    acl_end();
    return 0;
}
