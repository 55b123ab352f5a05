// A directory of cache lines, as a cache-coherent machine with caches without end would have it: it
// counts how often a line moves from one thread to another. It stands in for ThreadSanitizer's
// runtime: the library is compiled with -fsanitize=thread, so that the compiler calls __tsan_X at
// each access, and is linked with this file instead (THRUM_COUNT_TRANSFERS in CMake).
//
// A line is with the threads that have read it since the last write. A read by another thread, and
// a write while any other thread has the line, is a transfer. The first read of a line is none.
// What the C library accesses is not seen: memcpy of payload, locks inside malloc; neither are the
// program's accesses, nor the switch of stacks.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>

namespace {

constexpr int line_bits = 6, address_bits = 47;
constexpr uint32_t threads_max = 128;
constexpr size_t places_max = size_t{1} << 18; // a thread's counts; a power of two

struct Line {
    std::atomic<uint64_t> threads[threads_max / 64]; // bit t: thread t has the line
};

// What one thread has seen: transfers of one line to one place of the code.
struct Transfer {
    uintptr_t code, line;
    uint64_t reads, writes;
};

std::atomic<bool> counting;
std::atomic<Line *> lines;
std::atomic<uint32_t> thread_count;
Transfer *transfers_of[threads_max];
std::atomic<uint64_t> lost; // for want of room

void *reserve(size_t bytes) {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::perror("transfers: no room for the directory");
        std::abort();
    }
    return memory;
}

// The number of the calling OS thread. A thread-local variable would be the rank's, since fibers
// take theirs from thread to thread; so it is kept in the GS base, plus 1, which only programs
// compiled with --privatize use.
uint32_t this_thread() {
    if (uint64_t base = __builtin_ia32_rdgsbase64(); base != 0) [[likely]]
        return static_cast<uint32_t>(base - 1);
    uint32_t number = thread_count.fetch_add(1, std::memory_order_relaxed);
    if (number >= threads_max)
        std::abort(); // no message: the caller may hold any lock
    transfers_of[number] = static_cast<Transfer *>(reserve(places_max * sizeof(Transfer)));
    __builtin_ia32_wrgsbase64(number + 1);
    return number;
}

void note(uint32_t thread, uintptr_t line, uintptr_t code, bool is_write) {
    size_t place = (line * 0x9e3779b97f4a7c15 ^ code * 0xc2b2ae3d27d4eb4f) >> 20;
    for (size_t tried = 0; tried < 64; ++tried) {
        Transfer &t = transfers_of[thread][(place + tried) % places_max];
        if (t.code == 0)
            t = {code, line, 0, 0};
        if (t.code != code || t.line != line)
            continue;
        ++(is_write ? t.writes : t.reads);
        return;
    }
    lost.fetch_add(1, std::memory_order_relaxed);
}

// Returns whether the line comes from another thread, and gives it to this one.
bool move(Line &line, uint32_t thread, bool is_write) {
    uint64_t own = uint64_t{1} << thread % 64;
    auto &own_word = line.threads[thread / 64], &other_word = line.threads[1 - thread / 64];
    uint64_t in_own = own_word.load(std::memory_order_relaxed);
    uint64_t in_other = other_word.load(std::memory_order_relaxed);
    bool has = in_own & own, is_cold = in_own == 0 && in_other == 0;
    if (!is_write) {
        if (!has)
            own_word.fetch_or(own, std::memory_order_relaxed);
        return !has && !is_cold;
    }
    if (in_own == own && in_other == 0)
        return false;
    own_word.store(own, std::memory_order_relaxed);
    other_word.store(0, std::memory_order_relaxed);
    return !is_cold;
}

void look(const volatile void *address, size_t bytes, bool is_write, void *code) {
    if (!counting.load(std::memory_order_relaxed) || bytes == 0)
        return;
    uint32_t thread = this_thread();
    auto first = reinterpret_cast<uintptr_t>(address) >> line_bits;
    auto last = (reinterpret_cast<uintptr_t>(address) + bytes - 1) >> line_bits;
    for (uintptr_t line = first; line <= last; ++line)
        if (move(lines.load(std::memory_order_relaxed)[line], thread, is_write))
            note(thread, line, reinterpret_cast<uintptr_t>(code), is_write);
}

} // namespace

#define CODE __builtin_return_address(0)

extern "C" {

// Called by the benchmark's program. While counting, the other ranks may run.
__attribute__((visibility("default"))) void thrum_debug_count_transfers() {
    if (!lines.load(std::memory_order_relaxed))
        lines.store(
            static_cast<Line *>(reserve((size_t{1} << (address_bits - line_bits)) * sizeof(Line))),
            std::memory_order_relaxed);
    counting.store(true, std::memory_order_seq_cst);
}

// Stops, and writes a line "code line thread reads writes" for each entry: addresses in
// hexadecimal, `code` relative to the library. Returns how many transfers are in no entry.
__attribute__((visibility("default"))) unsigned long thrum_debug_write_transfers(const char *path) {
    counting.store(false, std::memory_order_seq_cst);
    Dl_info info;
    dladdr(reinterpret_cast<void *>(look), &info);
    FILE *file = std::fopen(path, "w");
    if (!file)
        return ~0ul;
    for (uint32_t t = 0; t < thread_count.load(std::memory_order_relaxed); ++t)
        for (size_t i = 0; i < places_max; ++i)
            if (const Transfer &e = transfers_of[t][i]; e.code)
                std::fprintf(file, "%lx %lx %u %lu %lu\n",
                             e.code - reinterpret_cast<uintptr_t>(info.dli_fbase), e.line, t,
                             e.reads, e.writes);
    return std::fclose(file) ? ~0ul : lost.load(std::memory_order_relaxed);
}

void __tsan_init() {}

void __tsan_func_entry(void *) {}

void __tsan_func_exit() {}

void __tsan_vptr_update(void **slot, void *) {
    look(slot, sizeof *slot, true, CODE);
}

void __tsan_vptr_read(void **slot) {
    look(slot, sizeof *slot, false, CODE);
}

void __tsan_read_range(void *address, size_t bytes) {
    look(address, bytes, false, CODE);
}

void __tsan_write_range(void *address, size_t bytes) {
    look(address, bytes, true, CODE);
}

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// One access of N bytes, also one that is not aligned.
#define ACCESS(N)                                                                                  \
    void __tsan_read##N(void *address) {                                                           \
        look(address, N, false, CODE);                                                             \
    }                                                                                              \
    void __tsan_write##N(void *address) {                                                          \
        look(address, N, true, CODE);                                                              \
    }                                                                                              \
    void __tsan_unaligned_read##N(void *address) {                                                 \
        look(address, N, false, CODE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_write##N(void *address) {                                                \
        look(address, N, true, CODE);                                                              \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

// The atomic operations themselves, with the strongest order: the counts do not depend on it.
#define FETCH(BITS, T, NAME)                                                                       \
    T __tsan_atomic##BITS##_##NAME(volatile T *address, T value, int) {                            \
        look(address, sizeof(T), true, CODE);                                                      \
        return __atomic_##NAME(address, value, __ATOMIC_SEQ_CST);                                  \
    }
#define COMPARE(BITS, T, NAME)                                                                     \
    int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile T *address, T *expected, T wanted,  \
                                                      int, int) {                                  \
        look(address, sizeof(T), true, CODE);                                                      \
        return __atomic_compare_exchange_n(address, expected, wanted, false, __ATOMIC_SEQ_CST,     \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMIC(BITS, T)                                                                            \
    T __tsan_atomic##BITS##_load(const volatile T *address, int) {                                 \
        look(address, sizeof(T), false, CODE);                                                     \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile T *address, T value, int) {                          \
        look(address, sizeof(T), true, CODE);                                                      \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    T __tsan_atomic##BITS##_exchange(volatile T *address, T value, int) {                          \
        look(address, sizeof(T), true, CODE);                                                      \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                              \
    FETCH(BITS, T, fetch_add)                                                                      \
    FETCH(BITS, T, fetch_sub)                                                                      \
    FETCH(BITS, T, fetch_and)                                                                      \
    FETCH(BITS, T, fetch_or)                                                                       \
    FETCH(BITS, T, fetch_xor)                                                                      \
    FETCH(BITS, T, fetch_nand)                                                                     \
    COMPARE(BITS, T, strong)                                                                       \
    COMPARE(BITS, T, weak)                                                                         \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T wanted, int,   \
                                                 int) {                                            \
        look(address, sizeof(T), true, CODE);                                                      \
        __atomic_compare_exchange_n(address, &expected, wanted, false, __ATOMIC_SEQ_CST,           \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
}
