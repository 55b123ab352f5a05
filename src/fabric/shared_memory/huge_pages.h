// HugePages: for the memory of large messages between processes of a node.
//
// To copy from another process's memory the kernel looks up and holds each of its pages. For pages
// of 4 KiB that takes three times as long as the copy, for huge pages almost nothing
// (docs/performance/between_processes.md). So memory from or to which others copy repeatedly is
// put into huge pages (madvise, MADV_COLLAPSE: Linux 6.1), once small pages have cost as much time
// as that does. It has no effect where the system has huge pages switched off, or with
// THRUM_HUGE_PAGES=0.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

class HugePages {
public:
    static constexpr size_t page_bytes = size_t{2} << 20;
    // How much is copied before a page is made huge: each MiB costs about 50 us more than
    // necessary, and making a huge page takes 300 us or more.
    static constexpr size_t patience_bytes = size_t{16} << 20;

    // Checks whether the system has huge pages and the settings permit them. Call it first.
    void begin();

    // Makes large arrays from malloc whole huge pages of the heap. By default malloc maps them at
    // arbitrary addresses until the first one has been freed. No effect where the environment
    // configures malloc.
    void arrange_heap();

    // Announces that another process is about to copy `bytes` bytes of this process at `address`.
    // Any thread may call this.
    void about_to_be_copied(uint64_t address, size_t bytes);

private:
    void count(uint64_t page, size_t bytes);

    bool enabled_ = false;
    // How much of a page has been copied: its number and KiB, 32 bits each. Pages that share an
    // entry replace each other. relaxed: hints.
    std::array<std::atomic<uint64_t>, 1024> counts_{};
};

} // namespace thrum
