// How a thread block is built. Each field that make_thread_block() sets is necessary:
// - `self`: without it stdio, setjmp and pthread_* crash.
// - A tid of its own: without one, recursive and robust mutexes take an unlocked mutex for their
//   own; with the worker's (or a copied) tid, two fibers own one lock.
// - The pointer guard: without it exit() crashes in atexit functions.
// - `list`: without it the child of a fork crashes.
// - Membership of ld.so's list of user stacks: without it the initial-exec TLS of libraries loaded
//   later is silently wrong.
#include "fiber/thread_block.h"

#include "base/check.h"
#include "base/own_threads.h"
#include "base/spinlock.h"
#include "fiber/sanitizer.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <linux/rseq.h>
#include <pthread.h>
#include <sys/mman.h>

namespace thrum {
namespace {

// Fixed by the ABI between compiler, libgcc and libc: tcbhead_t.
constexpr size_t tcb_offset = 0, self_offset = 16, multiple_threads_offset = 24,
                 stack_guard_offset = 0x28, pointer_guard_offset = 0x30, feature_1_offset = 72;

struct Layout {
    size_t tls_bytes = 0, tls_align = 64; // the static TLS block, struct pthread included
    size_t pthread_bytes = 0;             // sizeof(struct pthread)
    size_t tid_offset = 0, list_offset = 0, stack_offset = 0, resolver_offset = 0;
    char *user_stacks = nullptr; // list head GL(dl_stack_user)
    ptrdiff_t rseq_offset = 0;
    uint64_t stack_guard = 0, pointer_guard = 0, robust_futex_offset = 0;
    uint32_t feature_1 = 0;
    void *(*allocate_tls)(void *) = nullptr;
    void (*deallocate_tls)(void *, bool) = nullptr;
    void (*ctype_init)() = nullptr;
};

Layout layout;
bool discovered = false;

template <class T>
void put(char *block, size_t offset, const T &value) {
    std::memcpy(block + offset, &value, sizeof value);
}

template <class T>
T get(const char *block, size_t offset) {
    T value;
    std::memcpy(&value, block + offset, sizeof value);
    return value;
}

template <class F>
bool find(F &pointer, const char *name) {
    pointer = reinterpret_cast<F>(::dlsym(RTLD_DEFAULT, name));
    return pointer != nullptr;
}

// Finds the offset of a field, which libthread_db describes as { bits, elements, offset }.
bool find_field(size_t &offset, const char *name) {
    uint32_t *description = nullptr;
    if (!find(description, name))
        return false;
    offset = description[2];
    return true;
}

struct Probe {
    char *stack;
    size_t stack_bytes;
};

// Runs on a thread with a known stack: finds where struct pthread keeps that stack, and the
// resolver state.
void *probe_thread(void *argument) {
    const Probe &probe = *static_cast<Probe *>(argument);
    char *block = static_cast<char *>(current_thread_pointer());
    constexpr size_t first_candidate = 0x2c0; // behind tcbhead_t
    for (size_t o = first_candidate; o + 16 <= layout.pthread_bytes; o += 8)
        if (get<char *>(block, o) == probe.stack &&
            get<size_t>(block, o + 8) == probe.stack_bytes) {
            layout.stack_offset = o;
            break;
        }
    auto **resolver = static_cast<char **>(::dlsym(RTLD_DEFAULT, "__resp"));
    if (resolver && *resolver > block && *resolver < block + layout.pthread_bytes)
        layout.resolver_offset = static_cast<size_t>(*resolver - block);
    layout.robust_futex_offset = get<uint64_t>(block, layout.tid_offset + 24);
    return nullptr;
}

bool run_probe() {
    constexpr size_t page = 4096; // thread-locals of the program, or of a sanitizer, may be large
    Probe probe{nullptr, (256 << 10) + (layout.tls_bytes + page - 1) / page * page};
    void *memory = ::mmap(nullptr, probe.stack_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    probe.stack = static_cast<char *>(memory);
    pthread_attr_t attributes;
    pthread_t thread;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstack(&attributes, memory, probe.stack_bytes);
    bool started = create_own_thread(&thread, &attributes, probe_thread, &probe) == 0;
    if (started)
        join_own_thread(thread);
    ::pthread_attr_destroy(&attributes);
    ::munmap(memory, probe.stack_bytes);
    return started && layout.stack_offset != 0;
}

struct ListNode {
    ListNode *next, *previous;
};

// Guards the list of user stacks against other fibers that are made or freed at the same time. The
// C library uses a lock of its own, which it does not export, for threads on stacks that the
// program provides.
SpinLock user_stacks_lock;

} // namespace

bool discover_thread_blocks(const char **reason) {
    if (discovered)
        return true;
    if constexpr (!sanitizer::own_thread_blocks) {
        *reason = "a sanitizer keeps its own state in each OS thread";
        return false;
    }
    Layout &l = layout;
    void (*static_info)(size_t *, size_t *) = nullptr;
    uint32_t *pthread_bytes = nullptr;
    ptrdiff_t *rseq_offset = nullptr;
    size_t user_stacks_offset = 0;
    char *rtld_global = nullptr;
    *reason = "the C library does not show the layout of its thread control block";
    if (!find(l.allocate_tls, "_dl_allocate_tls") ||
        !find(l.deallocate_tls, "_dl_deallocate_tls") || !find(l.ctype_init, "__ctype_init") ||
        !find(static_info, "_dl_get_tls_static_info") ||
        !find(pthread_bytes, "_thread_db_sizeof_pthread") ||
        !find_field(l.tid_offset, "_thread_db_pthread_tid") ||
        !find_field(l.list_offset, "_thread_db_pthread_list"))
        return false;
    l.pthread_bytes = *pthread_bytes;
    static_info(&l.tls_bytes, &l.tls_align);
    if (find(rtld_global, "_rtld_global") &&
        find_field(user_stacks_offset, "_thread_db_rtld_global__dl_stack_user"))
        l.user_stacks = rtld_global + user_stacks_offset;
    if (find(rseq_offset, "__rseq_offset"))
        l.rseq_offset = *rseq_offset;
    const char *own = static_cast<char *>(current_thread_pointer());
    l.stack_guard = get<uint64_t>(own, stack_guard_offset);
    l.pointer_guard = get<uint64_t>(own, pointer_guard_offset);
    l.feature_1 = get<uint32_t>(own, feature_1_offset);
    *reason = "a probe thread did not show where the C library keeps a thread's stack";
    discovered = run_probe();
    return discovered;
}

size_t thread_block_bytes() {
    if constexpr (!sanitizer::own_thread_blocks)
        return sanitizer::thread_extra_bytes;
    size_t align = layout.tls_align;
    return (layout.tls_bytes + 2 * align - 1) / align * align;
}

void *make_thread_block(void *top, void *stack_low) {
    // Unique, not zero, and different from all kernel thread ids: a mutex held during a switch
    // stays its owner's.
    static std::atomic<uint32_t> next_tid{0x20000000};
    const Layout &l = layout;
    uintptr_t address = (reinterpret_cast<uintptr_t>(top) - l.pthread_bytes) & ~(l.tls_align - 1);
    char *block = reinterpret_cast<char *>(address);
    if (!l.allocate_tls(block))
        return nullptr;
    put(block, tcb_offset, block);
    put(block, self_offset, block);
    put(block, multiple_threads_offset, 1); // an int
    put(block, stack_guard_offset, l.stack_guard);
    put(block, pointer_guard_offset, l.pointer_guard);
    put(block, feature_1_offset, l.feature_1);
    put(block, l.tid_offset, next_tid.fetch_add(1, std::memory_order_relaxed));
    auto *node = reinterpret_cast<ListNode *>(block + l.list_offset);
    node->next = node->previous = node;
    if (l.user_stacks) {
        LockGuard guard(user_stacks_lock);
        auto *head = reinterpret_cast<ListNode *>(l.user_stacks);
        node->next = head->next;
        node->previous = head;
        head->next->previous = node;
        head->next = node;
    }
    char *robust_head = block + l.tid_offset + 16; // behind robust_prev
    put(robust_head, 0, robust_head);
    put(robust_head - 8, 0, robust_head);
    put(robust_head + 8, 0, l.robust_futex_offset);
    put(block, l.stack_offset, stack_low);
    put(block, l.stack_offset + 8,
        static_cast<size_t>(static_cast<char *>(top) - static_cast<char *>(stack_low)));
    if (l.rseq_offset) // the kernel does not know this block: sched_getcpu() must ask it
        put(block, static_cast<size_t>(l.rseq_offset) + offsetof(struct rseq, cpu_id),
            static_cast<uint32_t>(RSEQ_CPU_ID_UNINITIALIZED));
    return block;
}

void free_thread_block(void *thread_pointer) {
    auto *node =
        reinterpret_cast<ListNode *>(static_cast<char *>(thread_pointer) + layout.list_offset);
    {
        LockGuard guard(user_stacks_lock);
        node->next->previous = node->previous;
        node->previous->next = node->next;
    }
    layout.deallocate_tls(thread_pointer, false);
}

void initialise_thread_block() {
    layout.ctype_init();
    if (layout.resolver_offset)
        if (auto **resolver = static_cast<char **>(::dlsym(RTLD_DEFAULT, "__resp")))
            *resolver = static_cast<char *>(current_thread_pointer()) + layout.resolver_offset;
}

} // namespace thrum
