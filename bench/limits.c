/* limits: what the machine itself allows, beside which the figures of MPI are put. No MPI.
 *
 *   bare_switch     from one stack to another: six registers and the stack pointer
 *   fs_base_switch  the same and the FS base, so that each side has thread-local data of its own
 *   round           the same from each of many stacks to the next, on two cores: the time for all
 *   full_round      a round in which each also writes 22 cache lines, as many as a rank touches
 *                   in a barrier (docs/performance/misses.md)
 *   cache_line      one way of a cache line with 8 B of data between two cores
 *   memcpy          copies between two pairs of buffers in turn, as a ping-pong's messages do */
#define _GNU_SOURCE
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SAMPLES = 11, STACK_BYTES = 16384, HAND_OVERS = 200000, SWITCHES = 2000000 };

/* Thread-local storage keeps its address in the FS base; HWCAP2_FSGSBASE says that it may be
 * written. */
enum { HWCAP2_FSGSBASE_BIT = 2 };

static cpu_set_t usable;

static void pin(int which) {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &usable) && which-- == 0)
            CPU_SET(cpu, &one);
    if (pthread_setaffinity_np(pthread_self(), sizeof one, &one))
        perror("pthread_setaffinity_np");
}

void bare_switch(void **save, void *to);
void fs_base_switch(void **save, void *to, uint64_t fs_base);
__asm__(".text\n"
        ".globl bare_switch\n.type bare_switch,@function\nbare_switch:\n"
        " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
        ".globl fs_base_switch\n.type fs_base_switch,@function\nfs_base_switch:\n"
        " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp,(%rdi)\n mov %rsi,%rsp\n wrfsbase %rdx\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n");

static void *main_context, *other_context;
static uint64_t fs_base;

static void switch_back(void) {
    for (;;)
        if (fs_base)
            fs_base_switch(&other_context, main_context, fs_base);
        else
            bare_switch(&other_context, main_context);
}

static void measure_switch(const char *name) {
    static _Alignas(64) char stack[STACK_BYTES];
    double samples[SAMPLES];
    uint64_t *top = (uint64_t *)(stack + STACK_BYTES);
    *--top = 0; /* switch_back never returns; keeps the stack aligned as after a call */
    *--top = (uint64_t)(uintptr_t)switch_back;
    for (int i = 0; i < 6; i++)
        *--top = 0;
    other_context = top;
    for (int s = 0; s < SAMPLES; s++) {
        double start = now_seconds();
        for (int i = 0; i < SWITCHES / 2; i++)
            if (fs_base)
                fs_base_switch(&main_context, other_context, fs_base);
            else
                bare_switch(&main_context, other_context);
        samples[s] = (now_seconds() - start) / SWITCHES;
    }
    print_figure(name, 0, samples, SAMPLES);
}

/* A stack with a thread block, as far as a switch needs it. The FS base of the stack is the block's
 * address. */
struct block {
    struct block *self; /* at %fs:0 */
    struct block *next;
    void *context;
    uint64_t fs_base;
    uint64_t turns;
    volatile char *object;
};

/* Stacks are 1 MiB apart, as those of a job of 1,000 ranks and more. An object stands for all of
 * MPI's that a rank has. */
enum {
    LINE_BYTES = 64,
    SLOT_BYTES = 1 << 20,
    PAGE_BYTES = 4096,
    FRAME_LINES = 4, /* of take_turns() and the switch, at most */
    STACK_LINES = 8,
    OBJECT_LINES = 12,
    OBJECT_BYTES = 2 * OBJECT_LINES * LINE_BYTES,
    CORES_MAX = 2
};

struct share {
    char *slots, *objects; /* objects: NULL in a round that is not full */
    int count;
    pthread_barrier_t *all;
    double seconds[SAMPLES]; /* of a round */
};

static void take_turns(void) {
    for (;;) {
        struct block *own;
        __asm__ volatile("mov %%fs:0, %0" : "=r"(own));
        own->turns++;
        for (int i = 0; own->object && i < STACK_LINES; i++)
            ((volatile char *)own)[-(FRAME_LINES + i) * LINE_BYTES]++;
        for (int i = 0; own->object && i < OBJECT_LINES; i++)
            own->object[i * LINE_BYTES]++;
        fs_base_switch(&own->context, own->next->context, own->next->fs_base);
    }
}

/* Puts block and stack into the highest page of the slot, for each at another place of it: else the
 * lines of all would compete for a few places of the cache. */
static struct block *make_block(char *slot, int i) {
    struct block *block = (struct block *)(slot + SLOT_BYTES - 2 * LINE_BYTES -
                                           i % (PAGE_BYTES / 2 / LINE_BYTES) * LINE_BYTES);
    uint64_t *top = (uint64_t *)block - 8;
    *--top = 0;
    *--top = (uint64_t)(uintptr_t)take_turns;
    for (int r = 0; r < 6; r++)
        *--top = 0;
    *block = (struct block){.self = block, .context = top, .fs_base = (uint64_t)(uintptr_t)block};
    return block;
}

static void *go_round(void *argument) {
    enum { TURNS = 400000 };
    struct share *share = argument;
    struct block worker = {.self = &worker}, *last = &worker;
    const int rounds = TURNS / share->count + 1;
    __asm__ volatile("rdfsbase %0" : "=r"(worker.fs_base));
    for (int i = 0; i < share->count; i++) {
        last->next = make_block(share->slots + (size_t)i * SLOT_BYTES, i);
        last = last->next;
        last->object = share->objects ? share->objects + (size_t)i * OBJECT_BYTES : NULL;
    }
    last->next = &worker;
    for (int s = -1; s < SAMPLES; s++) { /* the first only warms up */
        pthread_barrier_wait(share->all);
        const double start = now_seconds();
        for (int i = 0; i < rounds; i++)
            fs_base_switch(&worker.context, worker.next->context, worker.next->fs_base);
        if (s >= 0)
            share->seconds[s] = (now_seconds() - start) / rounds;
    }
    if (last->turns != (uint64_t)rounds * (SAMPLES + 1))
        abort();
    return NULL;
}

static void *go_round_on_the_second_core(void *share) {
    pin(1);
    return go_round(share);
}

static void measure_round(const char *name, int stacks, int is_full) {
    const int cores = CPU_COUNT(&usable) < CORES_MAX ? CPU_COUNT(&usable) : CORES_MAX;
    const size_t size_bytes = (size_t)stacks * SLOT_BYTES;
    struct share shares[CORES_MAX];
    pthread_t thread;
    pthread_barrier_t all;
    char *memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return;
    char *objects = is_full ? allocate_touched((size_t)stacks * OBJECT_BYTES) : NULL;
    madvise(memory, size_bytes, MADV_NOHUGEPAGE);
    pthread_barrier_init(&all, NULL, (unsigned)cores);
    for (int c = 0; c < cores; c++) {
        const size_t first = (size_t)c * (size_t)(stacks / cores);
        shares[c] = (struct share){.slots = memory + first * SLOT_BYTES,
                                   .objects = objects ? objects + first * OBJECT_BYTES : NULL,
                                   .count = stacks / cores,
                                   .all = &all};
    }
    if (cores > 1 && pthread_create(&thread, NULL, go_round_on_the_second_core, &shares[1]))
        abort();
    go_round(&shares[0]);
    if (cores > 1)
        pthread_join(thread, NULL);
    for (int s = 0; cores > 1 && s < SAMPLES; s++)
        if (shares[0].seconds[s] < shares[1].seconds[s])
            shares[0].seconds[s] = shares[1].seconds[s];
    print_figure(name, stacks, shares[0].seconds, SAMPLES);
    pthread_barrier_destroy(&all);
    munmap(memory, size_bytes);
    free(objects);
}

static struct {
    _Alignas(128) _Atomic uint64_t flag;
    uint64_t data;
} lines[2];

static void await(int side, uint64_t i) {
    while (atomic_load_explicit(&lines[side].flag, memory_order_acquire) != i)
        ;
    if (lines[side].data != i)
        abort();
}

static void pass(int side, uint64_t i) {
    lines[side].data = i;
    atomic_store_explicit(&lines[side].flag, i, memory_order_release);
}

static void *answer(void *unused) {
    pin(1);
    for (uint64_t i = 1; i <= HAND_OVERS / 2; i++) {
        await(0, i);
        pass(1, i);
    }
    return unused;
}

static void measure_cache_line(void) {
    double samples[SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        pthread_t thread;
        double start = 0;
        atomic_store_explicit(&lines[0].flag, 0, memory_order_relaxed);
        atomic_store_explicit(&lines[1].flag, 0, memory_order_relaxed);
        if (pthread_create(&thread, NULL, answer, NULL))
            abort();
        for (uint64_t i = 1; i <= HAND_OVERS / 2; i++) {
            pass(0, i);
            await(1, i);
            if (i == 1) /* the other thread is up */
                start = now_seconds();
        }
        samples[s] = (now_seconds() - start) / (HAND_OVERS - 2);
        pthread_join(thread, NULL);
    }
    print_figure("cache_line", 8, samples, SAMPLES);
}

static void measure_memcpy(size_t size_bytes) {
    double samples[SAMPLES];
    char *buffers[4];
    long count = (long)((64u << 20) / (size_bytes + 64)) | 1;
    for (int i = 0; i < 4; i++)
        buffers[i] = allocate_touched(size_bytes);
    for (int s = -1; s < SAMPLES; s++) { /* the first only warms up */
        double start = now_seconds();
        for (long i = 0; i < count; i++) {
            memcpy(buffers[1], buffers[0], size_bytes);
            __asm__ volatile("" ::: "memory");
            memcpy(buffers[3], buffers[2], size_bytes);
            __asm__ volatile("" ::: "memory");
        }
        if (s >= 0)
            samples[s] = (now_seconds() - start) / (double)count / 2;
    }
    print_figure("memcpy", (long)size_bytes, samples, SAMPLES);
    for (int i = 0; i < 4; i++)
        free(buffers[i]);
}

int main(int argc, char **argv) {
    sched_getaffinity(0, sizeof usable, &usable);
    pin(0);
    measure_switch("bare_switch");
    if (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT) {
        __asm__ volatile("rdfsbase %0" : "=r"(fs_base));
        measure_switch("fs_base_switch");
        for (int stacks = 64; stacks <= 16384; stacks *= 16)
            for (int is_full = 0; is_full < 2; is_full++)
                measure_round(is_full ? "full_round" : "round", stacks, is_full);
    }
    if (CPU_COUNT(&usable) > 1)
        measure_cache_line();
    for (int a = 1; a < argc; a++)
        measure_memcpy((size_t)atol(argv[a]));
    return 0;
}
