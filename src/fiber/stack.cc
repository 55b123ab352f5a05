#include "fiber/stack.h"

#include "base/tools.h"

#include <algorithm>
#include <cstring>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 // Linux 6.13: a guard without a mapping of its own
#endif

namespace thrum {
namespace {

// If the kernel has no lightweight guards, each guard costs two mappings. With more stacks than
// this there are no guards: a stack that overflows overwrites the top of its neighbour
// (docs/process_semantics.md).
constexpr size_t mprotect_guards_max = 12'000;

// Returns whether stacks must be executable. Pointers to GCC's nested functions are code on the
// stack. An object that needs this says so in its PT_GNU_STACK. Then ld.so makes the stacks of the
// process and of its threads executable.
bool code_runs_on_stacks() {
    auto look = [](dl_phdr_info *object, size_t, void *) -> int {
        return std::any_of(object->dlpi_phdr, object->dlpi_phdr + object->dlpi_phnum,
                           [](auto &header) {
                               return header.p_type == PT_GNU_STACK && (header.p_flags & PF_X) != 0;
                           });
    };
    return ::dl_iterate_phdr(look, nullptr) != 0;
}

} // namespace

StackArena::~StackArena() {
    if (base_)
        ::munmap(base_, bytes_);
}

static size_t slot_bytes_for(size_t stack_bytes, size_t extra_bytes) {
    constexpr size_t page = 4096;
    return (StackArena::guard_bytes + stack_bytes + extra_bytes + page - 1) / page * page;
}

bool StackArena::fits(size_t count, size_t stack_bytes, size_t extra_bytes) const {
    const size_t slot_bytes = slot_bytes_for(stack_bytes, extra_bytes);
    return slot_bytes_ == slot_bytes && bytes_ == slot_bytes * count;
}

void StackArena::renew(size_t extra_bytes, size_t kept_bytes) {
    constexpr size_t page = 4096;
    const size_t top_bytes = (extra_bytes + kept_bytes + page - 1) / page * page;
    for (char *slot = base_; slot < base_ + bytes_; slot += slot_bytes_) {
        std::memset(slot + slot_bytes_ - extra_bytes, 0, extra_bytes);
        if (guard_bytes + top_bytes < slot_bytes_)
            ::madvise(slot + guard_bytes, slot_bytes_ - guard_bytes - top_bytes, MADV_DONTNEED);
    }
}

bool StackArena::reserve(size_t count, size_t stack_bytes, size_t extra_bytes) {
    slot_bytes_ = slot_bytes_for(stack_bytes, extra_bytes);
    bytes_ = slot_bytes_ * count;
    int protection = PROT_READ | PROT_WRITE | (code_runs_on_stacks() ? PROT_EXEC : 0);
    void *memory = ::mmap(nullptr, bytes_, protection,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    base_ = static_cast<char *>(memory);
    ::madvise(base_, bytes_, MADV_NOHUGEPAGE); // otherwise each stack in use would take 2 MiB
    install_guards(count);
    if (running_on_valgrind())
        for (size_t i = 0; i < count; ++i)
            tell_valgrind_of_stack(low(i) + guard_bytes, high(i));
    return true;
}

void StackArena::install_guards(size_t count) {
    bool lightweight = ::madvise(low(0), guard_bytes, MADV_GUARD_INSTALL) == 0;
    if (!lightweight && count > mprotect_guards_max)
        return;
    for (size_t i = 0; i < count; ++i) {
        if (lightweight)
            ::madvise(low(i), guard_bytes, MADV_GUARD_INSTALL);
        else
            ::mprotect(low(i), guard_bytes, PROT_NONE);
    }
}

// 8 MiB is the default of most systems; any other limit was set on purpose.
size_t default_stack_bytes(int ranks) {
    constexpr size_t usual = 8 << 20, many = 1'000, very_many = 16'384;
    constexpr size_t bytes_min = 64 << 10;
    const auto count = static_cast<size_t>(ranks);
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0)
        limit.rlim_cur = usual;
    size_t wanted = std::max<size_t>(limit.rlim_cur, bytes_min);
    if (limit.rlim_cur == RLIM_INFINITY)
        wanted = count < many ? size_t{1} << 30 : size_t{64} << 20;
    if (count > 100'000)
        return std::min<size_t>(wanted, 64 << 10);
    if (count > very_many)
        return std::min<size_t>(wanted, 256 << 10);
    // Stacks that are more than 2 MiB apart need a page of page table each.
    if (count >= many && limit.rlim_cur == usual)
        return 1 << 20;
    return wanted;
}

} // namespace thrum
