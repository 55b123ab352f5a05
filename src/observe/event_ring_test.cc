// Tests the log that keeps the last events of each rank.
#include "observe/event_log.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace thrum::observe {
namespace {

TEST(EventRing, EachRankKeepsItsLastEvents) {
    std::string directory = (std::filesystem::temp_directory_path() / "events-XXXXXX").string();
    ASSERT_NE(::mkdtemp(directory.data()), nullptr);
    constexpr uint64_t chunks = 13; // six for each of two ranks, and one for names
    open_event_log({.directory = directory.c_str(),
                    .first_rank = 0,
                    .rank_count = 2,
                    .all_ranks = 2,
                    .process = 0,
                    .request = {chunks * Chunk::size_bytes, true},
                    .worker = [] {
                        return 0U;
                    }});
    constexpr uint32_t many = 10'000, few = 100;
    for (uint32_t i = 0; i < many; ++i)
        log_queue(0, i);
    for (uint32_t i = 0; i < few; ++i)
        log_queue(1, i);

    std::ifstream stream(directory + "/0.events", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    const auto *file = reinterpret_cast<const EventFile *>(bytes.data());
    EXPECT_EQ(file->ring_chunks, 6u);
    std::vector<const Chunk *> of_first;
    uint32_t of_second = 0;
    for (uint32_t i = 0; i < file->claimed; ++i) {
        const auto *chunk = reinterpret_cast<const Chunk *>(bytes.data() + file->head_bytes +
                                                            size_t{i} * Chunk::size_bytes);
        if (chunk->rank == 0)
            of_first.push_back(chunk);
        else
            of_second += chunk->used;
    }
    EXPECT_EQ(of_second, few);
    EXPECT_EQ(of_first.size(), 6u);
    std::ranges::sort(of_first, {}, &Chunk::number);
    std::vector<uint32_t> kept;
    for (const Chunk *chunk : of_first)
        for (uint32_t i = 0; i < chunk->used; ++i)
            kept.push_back(chunk->events[i].a);
    EXPECT_GE(kept.size(), size_t{5} * Chunk::events_max);
    EXPECT_EQ(kept.size() + file->streams[0].left_out, many);
    for (size_t i = 0; i < kept.size(); ++i)
        EXPECT_EQ(kept[i], many - kept.size() + i);
    std::filesystem::remove_all(directory);
}

} // namespace
} // namespace thrum::observe
