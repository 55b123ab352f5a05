// HugePages: for the memory of large messages between processes of a node.
//
// To copy out of another process's memory the kernel looks up and holds each of its pages: for
// pages of 4 KiB that takes three times as long as the copy, for huge pages next to nothing
// (docs/performance.md, "Between processes"). So memory out of which, or into which, others copy
// again and again is put into huge pages (madvise, MADV_COLLAPSE: Linux 6.1), once as much time has
// been lost with small ones as that costs. Where the system has huge pages switched off it has no
// effect, nor has THRUM_HUGE_PAGES=0.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

class HugePages {
public:
    static constexpr size_t page_bytes = size_t{2} << 20;
    // Of copies, before a page is made huge: each MiB costs some 50 us more than it need, and to
    // make a huge page takes 300 us and more.
    static constexpr size_t patience_bytes = size_t{16} << 20;

    // Finds out whether the system has them, and the settings permit them. To be called first.
    void begin();

    // Large arrays from malloc shall lie in the heap, whole huge pages of it: on their own, as
    // malloc has it before the first one has been freed, they lie at any address. No effect where
    // the environment has settings of malloc.
    void arrange_heap();

    // `bytes` bytes of this process at `address` are about to be copied by another one. Any thread.
    void about_to_be_copied(uint64_t address, size_t bytes);

private:
    void count(uint64_t page, size_t bytes);

    bool enabled_ = false;
    // How much of a page has been copied: its number and KiB, 32 bits each. Those that share a
    // place drive each other out. relaxed: hints.
    std::array<std::atomic<uint64_t>, 1024> counts_{};
};

} // namespace thrum
