// The overrides of malloc(), free() and their like: the heap is the process's, but each rank has a
// count of its own. Memory counts for the rank that allocates it, and is taken off the count of the
// rank that frees it. What a library that all ranks share has allocated for the program (strdup)
// is only taken off, so a count may be a little low.
#include "libc/heap.h"

#include "base/check.h"
#include "libc/libc_state.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <malloc.h>
#include <new>

namespace thrum {
namespace {

// In bytes as the heap rounds them up. Threads of the rank add at once.
struct HeapUse {
    std::atomic<int64_t> bytes{0}, most_bytes{0};
};

LIBC_STATE(HeapUse, heap_of)

// Returns the state of the caller; nullptr: it is a thread of no rank, or too early.
LibcState *state_of_caller() {
    if (!ranks_have_begun())
        return has_first_libc() ? &first_libc() : nullptr;
    if (!current_task_or_null || !current_rank().libc)
        return nullptr;
    return &libc_of(current_rank());
}

void count(int64_t bytes) {
    LibcState *state = state_of_caller();
    if (!state)
        return;
    HeapUse &use = heap_of(*state);
    const int64_t now = use.bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now > use.most_bytes.load(std::memory_order_relaxed))
        use.most_bytes.store(now, std::memory_order_relaxed);
    if (!ranks_have_begun() || !current_rank().record)
        return;
    observe::note_heap(*current_rank().record, now > 0 ? static_cast<uint64_t>(now) : 0,
                       static_cast<uint64_t>(use.most_bytes.load(std::memory_order_relaxed)));
}

int64_t usable_bytes(void *memory) {
    return static_cast<int64_t>(::malloc_usable_size(memory));
}

void *counted(void *memory) {
    if (memory) {
        const int error = errno;
        count(usable_bytes(memory));
        errno = error;
    }
    return memory;
}

void uncount(void *memory) {
    if (memory)
        count(-usable_bytes(memory));
}

void *override_malloc(size_t size_bytes) {
    return counted(std::malloc(size_bytes));
}

void *override_calloc(size_t count, size_t size_bytes) {
    return counted(std::calloc(count, size_bytes));
}

void *override_realloc(void *memory, size_t size_bytes) {
    const int64_t before = memory ? usable_bytes(memory) : 0;
    void *moved = std::realloc(memory, size_bytes);
    if (moved)
        count(usable_bytes(moved) - before);
    else if (size_bytes == 0) // it has freed the memory
        count(-before);
    return moved;
}

void *override_reallocarray(void *memory, size_t count, size_t size_bytes) {
    size_t all_bytes;
    if (__builtin_mul_overflow(count, size_bytes, &all_bytes)) {
        errno = ENOMEM;
        return nullptr;
    }
    return override_realloc(memory, all_bytes);
}

void override_free(void *memory) {
    uncount(memory);
    std::free(memory);
}

void *override_aligned_alloc(size_t alignment, size_t size_bytes) {
    return counted(::aligned_alloc(alignment, size_bytes));
}

void *override_memalign(size_t alignment, size_t size_bytes) {
    return counted(::memalign(alignment, size_bytes));
}

int override_posix_memalign(void **memory, size_t alignment, size_t size_bytes) {
    const int error = ::posix_memalign(memory, alignment, size_bytes);
    if (error == 0)
        counted(*memory);
    return error;
}

void *override_valloc(size_t size_bytes) {
    return counted(::valloc(size_bytes));
}

// The operators of a libstdc++ that all ranks share (--privatize). A clone's own call malloc().
void *override_new(size_t size_bytes) {
    return counted(::operator new(size_bytes));
}

void *override_new_nothrow(size_t size_bytes, const std::nothrow_t &) {
    return counted(::operator new(size_bytes, std::nothrow));
}

void override_delete(void *memory) {
    uncount(memory);
    ::operator delete(memory);
}

void override_sized_delete(void *memory, size_t) {
    override_delete(memory);
}

const FunctionOverride table[] = {
    OVERRIDE("malloc", override_malloc),
    OVERRIDE("calloc", override_calloc),
    OVERRIDE("realloc", override_realloc),
    OVERRIDE("reallocarray", override_reallocarray),
    OVERRIDE("free", override_free),
    OVERRIDE("aligned_alloc", override_aligned_alloc),
    OVERRIDE("memalign", override_memalign),
    OVERRIDE("posix_memalign", override_posix_memalign),
    OVERRIDE("valloc", override_valloc),
    OVERRIDE("_Znwm", override_new),
    OVERRIDE("_Znam", override_new),
    OVERRIDE("_ZnwmRKSt9nothrow_t", override_new_nothrow),
    OVERRIDE("_ZnamRKSt9nothrow_t", override_new_nothrow),
    OVERRIDE("_ZdlPv", override_delete),
    OVERRIDE("_ZdaPv", override_delete),
    OVERRIDE("_ZdlPvm", override_sized_delete),
    OVERRIDE("_ZdaPvm", override_sized_delete),
};

} // namespace

size_t add_heap_functions(FunctionOverride *functions, size_t count, size_t count_max) {
    CHECK(count + std::size(table) <= count_max);
    for (const FunctionOverride &function : table)
        functions[count++] = function;
    return count;
}

} // namespace thrum
