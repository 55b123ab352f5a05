// Chunks of accesses that go through packets against the same accesses done directly.
#include "base/testing/seed.h"
#include "datatype/testing/random_datatype.h"
#include "io/chunk_packets.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

using testing::RandomDatatypes;
using testing::test_seed;

// A file without a name.
int new_file() {
    const char *directory = std::getenv("TMPDIR");
    std::string name = std::string(directory ? directory : "/tmp").append("/thrum-chunk-XXXXXX");
    const int descriptor = ::mkstemp(name.data());
    ::unlink(name.c_str());
    return descriptor;
}

std::vector<char> contents_of(int descriptor) {
    std::vector<char> bytes(static_cast<size_t>(::lseek(descriptor, 0, SEEK_END)));
    EXPECT_EQ(::pread(descriptor, bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
    return bytes;
}

// An access of dense memory through a strided view; no two of them touch the same bytes.
struct StridedAccess {
    StridedAccess(RandomDatatypes &random, int number, int accesses) {
        const Count length = random.number(1, 9);
        Datatype *blocks = nullptr, *filetype = nullptr;
        EXPECT_FALSE(new_contiguous(length, *find_datatype(MPI_BYTE), blocks));
        EXPECT_FALSE(new_resized(*blocks, 0, 10 * accesses, filetype));
        EXPECT_FALSE(new_view(10 * number, *find_datatype(MPI_BYTE), *filetype,
                              native_representation, true, view));
        release(*blocks);
        release(*filetype);
        memory.resize(static_cast<size_t>(random.number(1, 3000)));
        for (char &byte : memory)
            byte = static_cast<char>(random.number(0, 255));
        access.span = {memory.data(),           static_cast<Count>(memory.size()),
                       find_datatype(MPI_BYTE), view,
                       random.number(0, 50),    memory.size()};
    }

    ~StridedAccess() { release(*view); }

    StridedAccess(const StridedAccess &) = delete;
    StridedAccess &operator=(const StridedAccess &) = delete;

    View *view = nullptr;
    std::vector<char> memory;
    Access access;
};

class ChunkPackets : public ::testing::Test {
protected:
    void SetUp() override { file.descriptor = new_file(); }

    void TearDown() override { ::close(file.descriptor); }

    // As if each access belonged to a process of its own.
    TransferResult move(const std::vector<Access *> &accesses, bool writing, Offset chunk_bytes) {
        TransferResult result;
        for (Offset chunk : touched_chunks(accesses, chunk_bytes)) {
            const Offset first = chunk * chunk_bytes, end = end_of_chunk(chunk, chunk_bytes);
            std::vector<SharedBytes> requests, answers;
            for (Access *access : accesses)
                requests.push_back(make_request({access}, writing, first, end));
            move_chunk(file, writing, first, end, requests, answers, result);
            for (size_t i = 0; i < answers.size(); ++i)
                scatter_answer(answers[i], {accesses[i]}, first, end);
        }
        return result;
    }

    OpenFile file;
};

TEST_F(ChunkPackets, MoveWhatDirectAccessMoves) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < 100; ++round) {
        const int count = static_cast<int>(random.number(1, 5));
        const int direct = new_file();
        ASSERT_EQ(::ftruncate(file.descriptor, 0), 0);
        std::vector<std::unique_ptr<StridedAccess>> strided;
        std::vector<Access *> accesses;
        for (int i = 0; i < count; ++i) {
            strided.push_back(std::make_unique<StridedAccess>(random, i, count));
            accesses.push_back(&strided.back()->access);
            ASSERT_EQ(write_span(direct, accesses.back()->span).error_number, 0);
        }
        const Offset chunk_bytes = random.number(1, 5000);
        ASSERT_EQ(move(accesses, true, chunk_bytes).error_number, 0);
        ASSERT_EQ(contents_of(file.descriptor), contents_of(direct)) << "round " << round;

        // Back, from a file that may be shorter: beyond its end memory stays as it was.
        const auto size_bytes = static_cast<Offset>(contents_of(direct).size());
        const Offset kept_bytes = random.number(0, size_bytes);
        ASSERT_EQ(::ftruncate(file.descriptor, kept_bytes), 0);
        std::vector<std::vector<char>> expected;
        for (auto &each : strided) {
            std::vector<char> bytes = each->memory;
            const size_t there = bytes_before(each->access.span, kept_bytes);
            for (size_t i = 0; i < bytes.size(); ++i)
                each->memory[i] = static_cast<char>(~bytes[i]);
            for (size_t i = there; i < bytes.size(); ++i)
                bytes[i] = each->memory[i];
            expected.push_back(bytes);
        }
        const TransferResult result = move(accesses, false, chunk_bytes);
        ASSERT_EQ(result.error_number, 0);
        for (size_t i = 0; i < strided.size(); ++i) {
            ASSERT_EQ(strided[i]->memory, expected[i]) << "round " << round;
            ASSERT_EQ(bytes_before(accesses[i]->span, result.end_of_file),
                      bytes_before(accesses[i]->span, kept_bytes));
        }
        ::close(direct);
    }
}

TEST_F(ChunkPackets, RegularPiecesHaveAShortDescription) {
    RandomDatatypes random(test_seed());
    StridedAccess strided(random, 0, 2);
    const SharedBytes request = make_request({&strided.access}, false, 0, no_end_of_file);
    EXPECT_LE(request.size_bytes(), 2 * sizeof(uint64_t) + 3 * sizeof(FileRun));
}

TEST(Chunks, RunsHoldTheSameNumbers) {
    const std::vector<Offset> chunks = {0, 1, 2, 5, 9, 10};
    EXPECT_EQ(runs_of_chunks(chunks), (std::vector<Offset>{0, 2, 5, 5, 9, 10}));
    EXPECT_EQ(chunks_of_runs(runs_of_chunks(chunks)), chunks);
    EXPECT_EQ(merge_chunks({1, 2}, {0, 2, 3}), (std::vector<Offset>{0, 1, 2, 3}));
    EXPECT_EQ(end_of_chunk(INT64_MAX / 10, 100), no_end_of_file);
}

} // namespace
} // namespace thrum
