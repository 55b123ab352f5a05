// Views, accesses and collective buffering against byte arrays, with random datatypes.
#include "base/testing/seed.h"
#include "coll/coll.h"
#include "coll/testing/on_each_layer.h"
#include "datatype/status.h"
#include "datatype/testing/random_datatype.h"
#include "io/collective_access.h"
#include "io/file_access.h"
#include "pt2pt/wait.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

using testing::expand;
using testing::RandomDatatypes;
using testing::test_seed;

std::string new_name() {
    const char *directory = std::getenv("TMPDIR");
    std::string name = std::string(directory ? directory : "/tmp").append("/thrum-io-test-XXXXXX");
    int descriptor = ::mkstemp(name.data());
    ::close(descriptor);
    return name;
}

// A filetype of `unit`s: random places in ascending order, perhaps with a hole at the end.
Datatype *random_filetype(RandomDatatypes &random, Datatype &unit) {
    Count n = random.number(1, 6);
    std::vector<Count> lengths, places;
    Count place = random.number(0, 3);
    for (Count i = 0; i < n; ++i) {
        lengths.push_back(random.number(1, 4));
        places.push_back(place);
        place += lengths.back() + random.number(0, 3);
    }
    Datatype *blocks = nullptr, *result = nullptr;
    EXPECT_FALSE(new_indexed(n, lengths.data(), places.data(), unit, blocks));
    EXPECT_FALSE(new_resized(*blocks, 0, place * unit.extent, result));
    release(*blocks);
    result->committed = true;
    return result;
}

// The file positions of stream bytes [first, first + size_bytes), by the type map alone.
std::vector<Offset> model_positions(const View &view, Offset first, size_t size_bytes) {
    std::vector<Count> tile = expand(*view.filetype, 1);
    std::vector<Offset> positions;
    for (Offset i = first; i < first + static_cast<Offset>(size_bytes); ++i) {
        Offset number = i / static_cast<Offset>(tile.size());
        positions.push_back(view.displacement + number * view.filetype->extent +
                            tile[static_cast<size_t>(i) % tile.size()]);
    }
    return positions;
}

// A datatype for memory: without overlaps, and its data a multiple of `unit_bytes`.
Datatype *random_memory(RandomDatatypes &random, Count unit_bytes) {
    for (;;) {
        Datatype *type = random.make(3);
        std::vector<Count> bytes = expand(*type, 2);
        std::sort(bytes.begin(), bytes.end());
        bool distinct = std::adjacent_find(bytes.begin(), bytes.end()) == bytes.end();
        if (distinct && type->size_bytes > 0 && type->size_bytes % unit_bytes == 0 &&
            type->size_bytes < 4000) {
            type->committed = true;
            return type;
        }
        release(*type);
    }
}

struct Memory {
    Memory(const Datatype &type, Count count) {
        std::vector<Count> places = expand(type, count);
        low = *std::min_element(places.begin(), places.end());
        bytes.resize(
            static_cast<size_t>(*std::max_element(places.begin(), places.end()) - low + 1));
        for (Count place : places)
            order.push_back(static_cast<size_t>(place - low));
    }

    void *buffer() { return bytes.data() - low; }

    Count low;
    std::vector<char> bytes;
    std::vector<size_t> order; // where the i-th byte of the data is
};

TEST(View, PositionsAreThoseOfTheTypeMap) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < 200; ++round) {
        Datatype &unit = *find_datatype(round % 2 ? MPI_INT : MPI_SHORT);
        Datatype *filetype = random_filetype(random, unit);
        View *view = nullptr;
        ASSERT_FALSE(
            new_view(random.number(0, 100), unit, *filetype, native_representation, true, view));
        std::vector<Offset> model = model_positions(*view, 0, 300);
        for (size_t i = 0; i < model.size(); ++i)
            ASSERT_EQ(file_position(*view, static_cast<Offset>(i)), model[i]);
        for (Offset target = 0; target < model[250]; ++target) {
            auto at = std::lower_bound(model.begin(), model.end(), target);
            ASSERT_EQ(stream_position(*view, target), at - model.begin()) << "target " << target;
        }
        release(*view);
        release(*filetype);
    }
}

TEST(View, WhatDecreasesOrOverlapsIsNoFiletype) {
    Datatype &unit = *find_datatype(MPI_INT);
    Count lengths[2] = {2, 2}, backwards[2] = {4, 0}, overlapping[2] = {0, 1};
    for (const Count *places : {backwards, overlapping}) {
        Datatype *filetype = nullptr;
        View *view = nullptr;
        ASSERT_FALSE(new_indexed(2, lengths, places, unit, filetype));
        EXPECT_EQ(new_view(0, unit, *filetype, native_representation, true, view).code(),
                  MPI_ERR_TYPE);
        release(*filetype);
    }
}

// The model of a file: what it holds, grown by writing.
void model_write(std::vector<char> &file, const std::vector<Offset> &positions,
                 const Memory &memory) {
    for (size_t i = 0; i < positions.size(); ++i) {
        auto position = static_cast<size_t>(positions[i]);
        if (file.size() <= position)
            file.resize(position + 1);
        file[position] = memory.bytes[memory.order[i]];
    }
}

std::vector<char> contents_of(const std::string &name) {
    std::vector<char> bytes;
    FILE *file = std::fopen(name.c_str(), "rb");
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
        bytes.push_back(static_cast<char>(c));
    std::fclose(file);
    return bytes;
}

TEST(Access, RandomViewsAndMemoryAgreeWithAByteArray) {
    std::string name = new_name();
    run_processes(1, [&](Process &process) {
        RandomDatatypes random(test_seed());
        File *file = nullptr;
        ASSERT_FALSE(open(*process.self, name.c_str(), MPI_MODE_RDWR, nullptr, file));
        std::vector<char> model;
        for (int round = 0; round < 300; ++round) {
            Datatype &unit = *find_datatype(round % 3 ? MPI_INT : MPI_BYTE);
            Datatype *filetype = random_filetype(random, unit);
            ASSERT_FALSE(
                set_view(*file, random.number(0, 200), unit, *filetype, "native", nullptr));
            Datatype *type = random_memory(random, unit.size_bytes);
            Count count = random.number(1, 3);
            Memory memory(*type, count);
            for (char &byte : memory.bytes)
                byte = static_cast<char>(random.number(0, 255));
            Offset offset = random.number(0, 300);
            auto positions =
                model_positions(*file->view, offset * unit.size_bytes, data_bytes(count, *type));
            MPI_Status status;
            MPI_Request request;
            bool writing = random.number(0, 1), waiting = random.number(0, 1);
            std::vector<char> before = memory.bytes;
            AccessCall call{writing, Positioning::Explicit, offset, memory.buffer(), count, *type};
            if (waiting) {
                ASSERT_FALSE(start_access(*file, call, request));
                ASSERT_FALSE(wait(request, &status));
            } else {
                ASSERT_FALSE(access(*file, call, &status));
            }
            if (writing) {
                model_write(model, positions, memory);
                ASSERT_EQ(contents_of(name), model) << "round " << round;
            } else {
                size_t got = 0;
                while (got < positions.size() &&
                       static_cast<size_t>(positions[got]) < model.size()) {
                    before[memory.order[got]] = model[static_cast<size_t>(positions[got])];
                    ++got;
                }
                ASSERT_EQ(memory.bytes, before) << "round " << round;
                ASSERT_EQ(status_bytes(status), static_cast<Count>(got)) << "round " << round;
            }
            release(*type);
            release(*filetype);
        }
        ASSERT_FALSE(close(*file));
    });
    ::unlink(name.c_str());
}

class Collectives : public testing::OnEachLayer {};

// Each rank owns every size()-th unit of a common layout, at random places and lengths.
TEST_P(Collectives, InterleavedAccessesAgreeWithAByteArray) {
    std::string name = new_name();
    int ranks = size();
    run([&](Process &process) {
        Communicator &world = *process.world;
        RandomDatatypes common(test_seed()),
            own(test_seed() + 1 + static_cast<unsigned>(world.rank));
        File *file = nullptr;
        ASSERT_FALSE(open(world, name.c_str(), MPI_MODE_RDWR, nullptr, file));
        for (int round = 0; round < 12; ++round) {
            Count block = common.number(1, 40), blocks = common.number(1, 20);
            const Count cb_block_bytes = common.number(1, 3000), cb_nodes = common.number(1, 4);
            ASSERT_FALSE(thrum::barrier(world)); // the hints are shared
            if (world.rank == 0) {
                file->open->hints.cb_block_bytes = static_cast<size_t>(cb_block_bytes);
                file->open->hints.cb_nodes = static_cast<int>(cb_nodes);
            }
            bool nonblocking = common.number(0, 1);
            Count stride = block * ranks;
            Datatype &byte = *find_datatype(MPI_BYTE);
            Datatype *filetype = nullptr, *dense = nullptr;
            ASSERT_FALSE(new_contiguous(block, byte, dense));
            ASSERT_FALSE(new_resized(*dense, 0, stride, filetype));
            filetype->committed = true;
            ASSERT_FALSE(set_view(*file, block * world.rank, byte, *filetype, "native", nullptr));
            // Some ranks have less, or nothing.
            Count mine = own.number(0, 3) ? own.number(0, block * blocks) : 0;
            std::vector<char> out(static_cast<size_t>(mine)), in(out.size(), 'x');
            for (size_t i = 0; i < out.size(); ++i)
                out[i] = static_cast<char>(world.rank * 31 + round * 7 + static_cast<int>(i));
            MPI_Status status;
            MPI_Request request;
            for (bool writing : {true, false}) {
                AccessCall call{writing, Positioning::Explicit,
                                0,       writing ? out.data() : in.data(),
                                mine,    byte};
                if (nonblocking) {
                    ASSERT_FALSE(start_access_all(*file, call, request));
                    ASSERT_FALSE(wait(request, &status));
                } else {
                    ASSERT_FALSE(access_all(
                        *file, writing ? Collective::FileWriteAll : Collective::FileReadAll, call,
                        &status));
                }
                ASSERT_EQ(status_bytes(status), mine);
                ASSERT_FALSE(synchronize(*file));
            }
            ASSERT_EQ(in, out) << "rank " << world.rank << " round " << round;
            release(*filetype);
            release(*dense);
        }
        ASSERT_FALSE(close(*file));
    });
    ::unlink(name.c_str());
}

INSTANTIATE_TEST_SUITE_P(On, Collectives,
                         ::testing::Combine(::testing::ValuesIn(testing::layers),
                                            ::testing::Values(1, 2, 5, 33)),
                         testing::name_of_layer_and_size);

TEST(RangeLock, OverlappingWritersTakeTurnsAndReadersShare) {
    RangeLock lock;
    RangeLock::Claim reader, other_reader, writer, apart;
    reader.first = other_reader.first = writer.first = 10;
    reader.end = other_reader.end = writer.end = 20;
    writer.exclusive = apart.exclusive = true;
    apart.first = 20;
    apart.end = 30;
    for (RangeLock::Claim *claim : {&reader, &writer, &other_reader, &apart})
        lock.ask(*claim);
    EXPECT_TRUE(reader.completion.done());
    EXPECT_FALSE(writer.completion.done());
    EXPECT_FALSE(other_reader.completion.done()); // came after the writer
    EXPECT_TRUE(apart.completion.done());
    lock.release(reader);
    EXPECT_TRUE(writer.completion.done());
    EXPECT_FALSE(other_reader.completion.done());
    lock.release(writer);
    EXPECT_TRUE(other_reader.completion.done());
    lock.release(other_reader);
    lock.release(apart);
}

TEST(RangeLock, EveryClaimIsGrantedInTheEnd) {
    RangeLock lock;
    std::mt19937 engine(test_seed());
    std::vector<RangeLock::Claim> claims(1000);
    for (RangeLock::Claim &claim : claims) {
        claim.first = static_cast<int64_t>(engine() % 1000);
        claim.end = claim.first + 1 + static_cast<int64_t>(engine() % 300);
        claim.exclusive = engine() % 3 > 0;
        lock.ask(claim);
    }
    std::vector<bool> released(claims.size(), false);
    for (size_t left = claims.size(); left > 0;) {
        size_t before = left;
        for (size_t i = 0; i < claims.size(); ++i) {
            if (released[i] || !claims[i].completion.done())
                continue;
            for (size_t k = 0; k < claims.size(); ++k) {
                bool both_hold = k != i && !released[k] && claims[k].completion.done();
                bool overlap = claims[i].first < claims[k].end && claims[k].first < claims[i].end;
                ASSERT_FALSE(both_hold && overlap && (claims[i].exclusive || claims[k].exclusive));
            }
            released[i] = true;
            lock.release(claims[i]);
            --left;
        }
        ASSERT_LT(left, before) << "nobody's turn comes";
    }
}

TEST(Transfer, PiecesInAnyOrderAndWithOverlapsAreWrittenOnce) {
    std::string name = new_name();
    int descriptor = ::open(name.c_str(), O_RDWR);
    std::mt19937 engine(test_seed());
    auto number = [&](int high) {
        return static_cast<size_t>(std::uniform_int_distribution<int>(0, high)(engine));
    };
    for (int round = 0; round < 50; ++round) {
        // The byte at position p is always f(p), so overlaps agree.
        std::vector<char> pattern(60000), written(pattern.size(), 0), back(pattern.size(), 0);
        for (size_t i = 0; i < pattern.size(); ++i)
            pattern[i] = static_cast<char>(1 + (i * 31 + static_cast<size_t>(round)) % 120);
        ASSERT_EQ(::ftruncate(descriptor, 0), 0);
        std::vector<Piece> pieces, reads;
        size_t longest = round % 2 ? 5000 : 50;
        for (int i = 0; i < 300; ++i) {
            size_t start = number(50000), length = 1 + number(static_cast<int>(longest));
            pieces.push_back({static_cast<Offset>(start), pattern.data() + start, length});
            reads.push_back({static_cast<Offset>(start), back.data() + start, length});
            std::copy_n(pattern.begin() + static_cast<long>(start), length,
                        written.begin() + static_cast<long>(start));
        }
        ASSERT_EQ(write_pieces(descriptor, pieces).error_number, 0);
        std::vector<char> file = contents_of(name);
        file.resize(written.size());
        ASSERT_EQ(file, written);
        TransferResult result = read_pieces(descriptor, reads);
        ASSERT_EQ(result.error_number, 0);
        ASSERT_EQ(back, written);
    }
    ::close(descriptor);
    ::unlink(name.c_str());
}

} // namespace
} // namespace thrum
