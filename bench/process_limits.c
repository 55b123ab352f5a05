/* process_limits [-r samples] [-t seconds] [bytes ...]: what the machine grants to two processes
 * that share memory. Not MPI. The processes stay where they are put (taskset), or spread over the
 * cores.
 *
 *   futex_hand_over   one wakes the other, which sleeps: one way
 *   line_hand_over    one writes a word for which the other looks: one way (two cores)
 *   memcpy            of a process's own memory
 *   shared_memcpy     out of memory that the other has written and both have mapped
 *   process_vm_readv  out of the other's own memory
 *   huge_pages        the same, where both have their memory in huge pages (Linux 6.1)
 *   halves            process_vm_readv, while the other writes the second half (process_vm_writev)
 *   two_copies        the other copies in, this process out, in slots of 16 to 128 KiB: the best */
#define _GNU_SOURCE
#include "bench.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum {
    slots = 4,
    slot_bytes_max = 128 << 10,
    large_max = 8 << 20,
    huge_page = 2 << 20,
    lines_apart = 16
};

enum order {
    order_none,
    order_lines,
    order_wake,
    order_touch,
    order_halves,
    order_slots,
    order_huge_pages,
    order_end
};

/* What both processes have mapped. Words that are written by different processes lie apart. */
struct shared {
    _Atomic unsigned order_number, order, words[lines_apart * 4];
    long count;
    size_t bytes, slot_bytes;
    char *theirs, *into; /* addresses in the other process, in this one */
    _Atomic unsigned filled[lines_apart], emptied[lines_apart];
    char slot[slots][slot_bytes_max];
    char memory[large_max];
};

static struct shared *both;
static pid_t me, other;

static void relax(void) {
    __builtin_ia32_pause();
}

static void wait_for(_Atomic unsigned *word, unsigned value) {
    for (long spins = 1; atomic_load_explicit(word, memory_order_acquire) != value; ++spins)
        if (spins % 1000 == 0)
            sched_yield();
        else
            relax();
}

static void futex(_Atomic unsigned *word, int what, unsigned value) {
    syscall(SYS_futex, word, what, value, NULL, NULL, 0);
}

/* `first` begins. */
static void hand_over(long count, int first, int sleeps) {
    _Atomic unsigned *mine = &both->words[first ? 0 : lines_apart];
    _Atomic unsigned *others = &both->words[first ? lines_apart : 0];
    for (long i = 0; i < 2 * count; ++i) {
        if (i % 2 == !first) {
            atomic_store_explicit(others, 1, memory_order_release);
            if (sleeps)
                futex(others, FUTEX_WAKE, 1);
            continue;
        }
        while (!atomic_load_explicit(mine, memory_order_acquire))
            if (sleeps)
                futex(mine, FUTEX_WAIT, 0);
            else
                relax();
        atomic_store_explicit(mine, 0, memory_order_relaxed);
    }
}

static void move_all(int write, char *local, char *remote, size_t bytes) {
    while (bytes > 0) {
        struct iovec here = {local, bytes}, there = {remote, bytes};
        ssize_t n = write ? process_vm_writev(other, &here, 1, &there, 1, 0)
                          : process_vm_readv(other, &here, 1, &there, 1, 0);
        if (n <= 0) {
            perror(write ? "process_vm_writev" : "process_vm_readv");
            kill(other, SIGKILL);
            exit(3);
        }
        local += n;
        remote += n;
        bytes -= (size_t)n;
    }
}

/* Of message number `message`, through the slots: `in` copies into them. */
static void pass_slots(char *memory, size_t bytes, size_t slot_bytes, int in, unsigned *number) {
    for (size_t at = 0; at < bytes; at += slot_bytes, ++*number) {
        size_t n = bytes - at < slot_bytes ? bytes - at : slot_bytes;
        char *slot = both->slot[*number % slots];
        if (in) {
            while (*number - atomic_load_explicit(both->emptied, memory_order_acquire) >= slots)
                relax();
            memcpy(slot, memory + at, n);
            atomic_store_explicit(both->filled, *number + 1, memory_order_release);
        } else {
            while (atomic_load_explicit(both->filled, memory_order_acquire) <= *number)
                relax();
            memcpy(memory + at, slot, n);
            atomic_store_explicit(both->emptied, *number + 1, memory_order_release);
        }
    }
}

/* In whole huge pages, but of small ones as yet. */
static char *allocate_aligned(size_t bytes) {
    char *memory = aligned_alloc(huge_page, bytes);
    if (!memory) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        exit(2);
    }
    memset(memory, 1, bytes);
    return memory;
}

/* Into huge pages. False: the system has none. */
static int collapse(char *memory, size_t bytes) {
    return madvise(memory, bytes, MADV_COLLAPSE) == 0;
}

static void serve(char *memory) {
    unsigned number = 0;
    for (unsigned n = 1;; ++n) {
        wait_for(&both->order_number, n);
        unsigned order = atomic_load(&both->order);
        long count = both->count;
        switch (order) {
        case order_lines:
        case order_wake:
            hand_over(count, 0, order == order_wake);
            break;
        case order_touch:
            memset(both->memory, 'x', both->bytes);
            break;
        case order_halves:
            for (long i = 0; i < count; ++i) {
                wait_for(&both->words[0], (unsigned)i + 1);
                size_t half = both->bytes / 2;
                move_all(1, memory + half, both->into + half, both->bytes - half);
                atomic_store_explicit(&both->words[lines_apart], (unsigned)i + 1,
                                      memory_order_release);
            }
            break;
        case order_slots:
            number = 0;
            for (long i = 0; i < count; ++i)
                pass_slots(memory, both->bytes, both->slot_bytes, 1, &number);
            break;
        case order_huge_pages:
            collapse(memory, large_max);
            break;
        case order_end:
            _exit(0);
        default:
            break;
        }
        atomic_store(&both->words[2 * lines_apart], n);
    }
}

static unsigned orders;

static void give_order(enum order order, long count) {
    both->count = count;
    for (int i = 0; i < 2; ++i)
        atomic_store(&both->words[i * lines_apart], 0);
    atomic_store(both->filled, 0);
    atomic_store(both->emptied, 0);
    atomic_store(&both->order, order);
    atomic_store(&both->order_number, ++orders);
}

static void await_order(void) {
    wait_for(&both->words[2 * lines_apart], orders);
}

/* Seconds for `count` times. */
static double timed(const char *what, long count, char *mine) {
    size_t bytes = both->bytes;
    double start = now_seconds();
    if (!strcmp(what, "futex_hand_over") || !strcmp(what, "line_hand_over")) {
        give_order(*what == 'f' ? order_wake : order_lines, count);
        hand_over(count, 1, *what == 'f');
        await_order();
        return (now_seconds() - start) / 2;
    }
    if (!strcmp(what, "halves")) {
        give_order(order_halves, count);
        for (long i = 0; i < count; ++i) {
            atomic_store_explicit(&both->words[0], (unsigned)i + 1, memory_order_release);
            move_all(0, mine, both->theirs, bytes / 2);
            wait_for(&both->words[lines_apart], (unsigned)i + 1);
        }
        await_order();
        return now_seconds() - start;
    }
    if (!strcmp(what, "two_copies")) {
        unsigned number = 0;
        give_order(order_slots, count);
        for (long i = 0; i < count; ++i)
            pass_slots(mine, bytes, both->slot_bytes, 0, &number);
        await_order();
        return now_seconds() - start;
    }
    for (long i = 0; i < count; ++i) {
        if (!strcmp(what, "process_vm_readv") || !strcmp(what, "huge_pages"))
            move_all(0, mine, both->theirs, bytes);
        else
            memcpy(mine, !strcmp(what, "memcpy") ? mine + large_max : both->memory, bytes);
        __asm__ volatile("" ::: "memory");
    }
    return now_seconds() - start;
}

static double median_of(const char *what, const struct sampling *s, char *mine, double *samples) {
    long count = 1;
    while (timed(what, count, mine) < s->sample_s && count < 1L << 30)
        count *= 2;
    for (int i = 0; i < s->samples; ++i)
        samples[i] = timed(what, count, mine) / (double)count;
    qsort(samples, (size_t)s->samples, sizeof *samples, compare_samples);
    return samples[s->samples / 2];
}

static void measure(const char *what, size_t bytes, const struct sampling *s, char *mine) {
    double samples[SAMPLES_MAX];
    both->bytes = bytes;
    median_of(what, s, mine, samples);
    print_figure(what, (long)bytes, samples, s->samples);
}

static void measure_slots(size_t bytes, const struct sampling *s, char *mine) {
    double samples[SAMPLES_MAX], best[SAMPLES_MAX], least = 1e30;
    both->bytes = bytes;
    for (both->slot_bytes = 16 << 10; both->slot_bytes <= slot_bytes_max; both->slot_bytes *= 2) {
        double median = median_of("two_copies", s, mine, samples);
        if (median < least)
            memcpy(best, samples, sizeof best);
        least = median < least ? median : least;
    }
    print_figure("two_copies", (long)bytes, best, s->samples);
}

int main(int argc, char **argv) {
    struct sampling s;
    int a = parse_sampling(argc, argv, &s);
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    int two_cores = CPU_COUNT(&cores) > 1;
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    me = getpid();
    char *mine = allocate_aligned(2 * (size_t)large_max);
    other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
        other = me;
        both->theirs = allocate_aligned(large_max);
        atomic_store(&both->words[3 * lines_apart], 1);
        serve(both->theirs);
    }
    both->into = mine;
    wait_for(&both->words[3 * lines_apart], 1);
    measure("futex_hand_over", 0, &s, mine);
    if (two_cores)
        measure("line_hand_over", 0, &s, mine);
    for (int i = a; i < argc; i++) {
        size_t bytes = (size_t)atol(argv[i]);
        if (bytes == 0 || bytes > large_max)
            continue;
        measure("memcpy", bytes, &s, mine);
        both->bytes = bytes;
        give_order(order_touch, 0);
        await_order();
        measure("shared_memcpy", bytes, &s, mine);
        measure("process_vm_readv", bytes, &s, mine);
        if (two_cores) {
            measure("halves", bytes, &s, mine);
            measure_slots(bytes, &s, mine);
        }
    }
    if (collapse(mine, 2 * (size_t)large_max)) {
        give_order(order_huge_pages, 0);
        await_order();
        for (; a < argc; a++)
            if (atol(argv[a]) > 0 && atol(argv[a]) <= large_max)
                measure("huge_pages", (size_t)atol(argv[a]), &s, mine);
    }
    give_order(order_end, 0);
    waitpid(other, NULL, 0);
    return 0;
}
