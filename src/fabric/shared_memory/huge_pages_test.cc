// Memory that is copied repeatedly is put into huge pages, and no other; large arrays are placed
// where that is possible.
#include "base/bytes.h"
#include "fabric/packet/packet.h"
#include "fabric/shared_memory/huge_pages.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <sys/mman.h>

namespace thrum {
namespace {

constexpr size_t huge = HugePages::page_bytes;

// Returns the bytes in huge pages of the mapping at `memory`.
size_t huge_bytes_at(const void *memory) {
    std::FILE *file = std::fopen("/proc/self/smaps", "re");
    char line[512];
    bool here = false;
    size_t kib = 0;
    const auto at = reinterpret_cast<uintptr_t>(memory);
    while (std::fgets(line, sizeof line, file)) {
        unsigned long begin, end;
        if (std::sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            here = begin <= at && at < end;
        else if (here && std::sscanf(line, "AnonHugePages: %zu", &kib) == 1)
            break;
    }
    std::fclose(file);
    return kib * 1024;
}

// Pages surrounded by inaccessible ones.
class Pages {
public:
    explicit Pages(size_t count)
        : bytes_((count + 2) * huge),
          mapping_(static_cast<char *>(
              ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        const auto at = reinterpret_cast<uintptr_t>(mapping_) + 1;
        memory = mapping_ + (align_up(at, huge) - at + 1);
        ::mprotect(memory, count * huge, PROT_READ | PROT_WRITE);
        std::memset(memory, 'x', count * huge);
    }

    ~Pages() { ::munmap(mapping_, bytes_); }

    uint64_t address() const { return reinterpret_cast<uint64_t>(memory); }

    char *memory;

private:
    size_t bytes_;
    char *mapping_;
};

bool system_makes_huge_pages() {
    constexpr int collapse = 25; // MADV_COLLAPSE
    Pages pages(1);
    char text[64] = "[never]";
    if (std::FILE *file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re")) {
        if (!std::fgets(text, sizeof text, file))
            *text = 0;
        std::fclose(file);
    }
    return !std::strstr(text, "[never]") && ::madvise(pages.memory, huge, collapse) == 0;
}

class HugePagesTest : public testing::Test {
protected:
    void SetUp() override {
        if (!system_makes_huge_pages())
            GTEST_SKIP() << "this system makes no huge pages";
        pages.begin();
    }

    HugePages pages;
};

TEST_F(HugePagesTest, MemoryThatIsCopiedAgainAndAgainIsMadeHuge) {
    Pages memory(3);
    const size_t bytes = huge + huge / 2; // the first page and a half of the second
    const size_t copies = HugePages::patience_bytes / huge;
    for (size_t i = 0; i + 1 < copies; ++i)
        pages.about_to_be_copied(memory.address(), bytes);
    EXPECT_EQ(huge_bytes_at(memory.memory), 0U);
    pages.about_to_be_copied(memory.address(), bytes);
    EXPECT_EQ(huge_bytes_at(memory.memory), huge);
    for (size_t i = 0; i < copies; ++i)
        pages.about_to_be_copied(memory.address(), bytes);
    EXPECT_EQ(huge_bytes_at(memory.memory), 2 * huge);
    for (size_t i = 0; i < 3 * huge; ++i)
        ASSERT_EQ(memory.memory[i], 'x');
}

TEST_F(HugePagesTest, ManySmallCopiesCount) {
    Pages memory(1);
    for (size_t copied = 0; copied < HugePages::patience_bytes; copied += 20000)
        pages.about_to_be_copied(memory.address() + copied % (huge - 20000), 20000);
    EXPECT_EQ(huge_bytes_at(memory.memory), huge);
}

TEST_F(HugePagesTest, MemoryThatHasBeenGivenBackIsMadeHugeAgain) {
    Pages memory(1);
    const auto copy = [&](size_t bytes) {
        for (size_t copied = 0; copied < bytes; copied += huge)
            pages.about_to_be_copied(memory.address(), huge);
    };
    copy(HugePages::patience_bytes);
    ::mmap(memory.memory, huge, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
           0);
    std::memset(memory.memory, 'y', huge);
    EXPECT_EQ(huge_bytes_at(memory.memory), 0U);
    copy(HugePages::patience_bytes);
    EXPECT_EQ(huge_bytes_at(memory.memory), huge);
    EXPECT_EQ(memory.memory[huge - 1], 'y');
}

TEST_F(HugePagesTest, WhereThereCanBeNoneNothingHappens) {
    for (int i = 0; i < 100; ++i)
        pages.about_to_be_copied(huge, 1 << 20); // nothing is mapped there
    Pages memory(2);
    ::munmap(memory.memory + 4096, 4096);
    for (int i = 0; i < 100; ++i)
        pages.about_to_be_copied(memory.address() + 8192, huge);
    EXPECT_EQ(huge_bytes_at(memory.memory), 0U);
    EXPECT_EQ(memory.memory[8192], 'x');
}

TEST_F(HugePagesTest, LargeArraysLieInHugePagesOfTheHeap) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers have a heap of their own";
#endif
    pages.arrange_heap();
    std::vector<std::unique_ptr<char[]>> arrays;
    for (int i = 0; i < 5; ++i) {
        arrays.push_back(std::make_unique<char[]>(1 << 20));
        const auto address = reinterpret_cast<uint64_t>(arrays.back().get());
        for (size_t copied = 0; copied < 2 * HugePages::patience_bytes; copied += 1 << 20)
            pages.about_to_be_copied(address, 1 << 20);
    }
    EXPECT_GE(huge_bytes_at(arrays[0].get()), 5 << 20);
}

} // namespace
} // namespace thrum
