// Stacks of fibers: slots of one large reservation. Single mappings would exceed vm.max_map_count,
// which is 65,530 by default.
#pragma once
#include <cstddef>

namespace thrum {

// A reservation of `count` slots. A slot is [guard page | stack | thread block].
class StackArena {
public:
    StackArena() = default;
    StackArena(const StackArena &) = delete;
    StackArena &operator=(const StackArena &) = delete;
    ~StackArena();

    // Reserves slots of at least `stack_bytes` of stack and `extra_bytes` above it. Returns false
    // if the address space or the kernel's commit limit does not allow it.
    bool reserve(size_t count, size_t stack_bytes, size_t extra_bytes);

    // Returns whether a reservation like this one has been made.
    bool fits(size_t count, size_t stack_bytes, size_t extra_bytes) const;
    // Prepares slots that have been used for other fibers: what is above the stacks is zero again,
    // and all but the uppermost `kept_bytes` of a stack use no memory.
    void renew(size_t extra_bytes, size_t kept_bytes);

    char *low(size_t index) const { return base_ + index * slot_bytes_; } // first byte: the guard

    char *high(size_t index) const { return low(index) + slot_bytes_; } // past the last byte

    size_t slot_bytes() const { return slot_bytes_; }

    static constexpr size_t guard_bytes = 4096;

private:
    void install_guards(size_t count);
    char *base_ = nullptr;
    size_t bytes_ = 0;
    size_t slot_bytes_ = 0;
};

// Returns the size of the stack that a rank gets by default.
// - The soft RLIMIT_STACK, as in a process. If there is no limit: 1 GiB, and 64 MiB from 1,000
//   ranks on.
// - The usual 8 MiB become 1 MiB from 1,000 ranks on.
// - At most 256 KiB above 16,384 ranks, and 64 KiB above 100,000: the page tables alone would
//   otherwise need more memory than the data on the stacks.
size_t default_stack_bytes(int ranks);

} // namespace thrum
