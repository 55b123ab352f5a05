// Ranks that do not do the same thing: some rank gets an error that names two of them, and none
// hangs.
#include "coll/testing/blocking_forms.h"
#include "comm/testing/processes.h"

#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <vector>

namespace thrum {
namespace {

// Runs function(comm) on `ranks` ranks and returns their errors, one text per rank ("" for
// success).
template <class F>
std::vector<std::string> told(int ranks, F function, TeamOptions options = {2, false}) {
    std::vector<std::string> sentences(static_cast<size_t>(ranks));
    auto body = [&](Process &process) {
        Error error = function(*process.world);
        if (error)
            sentences[static_cast<size_t>(process.world->rank)] =
                std::to_string(error.code()) + ": " + error_detail(error.code());
    };
    run_processes(ranks, body, options);
    return sentences;
}

int errors(const std::vector<std::string> &sentences) {
    int n = 0;
    for (const std::string &sentence : sentences)
        n += !sentence.empty();
    return n;
}

std::string first_error(const std::vector<std::string> &sentences) {
    for (const std::string &sentence : sentences)
        if (!sentence.empty())
            return sentence;
    return "";
}

Error bcast_of(Communicator &comm, int root, int count) {
    std::vector<int> values(static_cast<size_t>(count));
    return broadcast(comm, {reinterpret_cast<char *>(values.data()), count, find_datatype(MPI_INT)},
                     root);
}

const std::string root_error = std::to_string(MPI_ERR_ROOT) + ": ranks disagree on root: ";

TEST(Disagreement, OneRankNamesAnotherRootThanTheRest) {
    for (int ranks : {2, 3, 4, 20, 100})
        for (int count : {1, 10000})
            for (int odd : {0, 1, ranks - 1}) {
                auto sentences = told(ranks, [&](Communicator &comm) {
                    return bcast_of(comm, comm.rank == odd ? 1 % ranks : 0, count);
                });
                EXPECT_EQ(first_error(sentences).substr(0, root_error.size()), root_error)
                    << ranks << " ranks, count " << count << ", odd rank " << odd;
            }
}

TEST(Disagreement, NobodyIsTheRoot) {
    auto sentences = told(2, [](Communicator &comm) { return bcast_of(comm, 1 - comm.rank, 1); });
    EXPECT_EQ(sentences[0], root_error + "rank 0 says 1, rank 1 says 0");
    EXPECT_EQ(sentences[1], sentences[0]);
}

TEST(Disagreement, OneRankCallsAnotherOperation) {
    for (int ranks : {2, 5, 64}) {
        auto sentences = told(ranks, [&](Communicator &comm) {
            return comm.rank == ranks - 1 ? barrier(comm) : bcast_of(comm, 0, 1);
        });
        std::string expected =
            std::to_string(MPI_ERR_OTHER) + ": ranks disagree on the operation: rank ";
        EXPECT_EQ(first_error(sentences).substr(0, expected.size()), expected);
        EXPECT_NE(first_error(sentences).find("MPI_Barrier"), std::string::npos);
        EXPECT_NE(first_error(sentences).find("MPI_Bcast"), std::string::npos);
    }
}

TEST(Disagreement, ReductionsWithDifferentOperationsRootsOrCounts) {
    auto reduction = [](Communicator &comm, Count count, MPI_Op op, int root) {
        std::vector<int> send(static_cast<size_t>(count)), receive(send.size());
        return reduce(comm,
                      {send.data(), receive.data(), count, *find_datatype(MPI_INT), *find_op(op)},
                      root);
    };
    for (int ranks : {2, 7, 40}) {
        auto all = static_cast<size_t>(ranks);
        auto ops = told(ranks, [&](Communicator &comm) {
            return reduction(comm, 3, comm.rank ? MPI_SUM : MPI_MAX, 0);
        });
        EXPECT_EQ(errors(ops), ranks);
        const std::string expected =
            std::to_string(MPI_ERR_OP) + ": ranks disagree on op: rank 0 passes MPI_MAX, rank ";
        EXPECT_EQ(ops[all - 1].substr(0, expected.size()), expected);
        EXPECT_TRUE(ops[all - 1].ends_with(" passes MPI_SUM")) << ops[all - 1];
        auto roots = told(ranks, [&](Communicator &comm) {
            return reduction(comm, 3, MPI_SUM, comm.rank ? 0 : 1);
        });
        EXPECT_EQ(errors(roots), ranks);
        auto counts = told(ranks, [&](Communicator &comm) {
            return reduction(comm, comm.rank ? 3 : 4, MPI_SUM, 0);
        });
        EXPECT_EQ(errors(counts), ranks);
        auto large = told(ranks, [&](Communicator &comm) {
            return reduction(comm, comm.rank ? 3 : 4000, MPI_SUM, 0);
        });
        EXPECT_EQ(errors(large), ranks);
    }
}

// The members of a leaf agree with each other: only the leaves differ.
TEST(Disagreement, GroupsOfRanksContributeVectorsOfDifferentSizes) {
    constexpr int ranks = 40;
    for (int first_odd = 1; first_odd < ranks; ++first_odd) {
        auto sentences = told(ranks, [&](Communicator &comm) {
            const Count count = comm.rank < first_odd ? 3 : 4;
            std::vector<int> send(static_cast<size_t>(count)), receive(send.size());
            return reduce(
                comm,
                {send.data(), receive.data(), count, *find_datatype(MPI_INT), *find_op(MPI_SUM)},
                0);
        });
        EXPECT_EQ(errors(sentences), ranks) << first_odd;
        const std::string &sentence = sentences.front();
        EXPECT_NE(sentence.find("has 12 bytes"), std::string::npos) << sentence;
        EXPECT_NE(sentence.find("has 16"), std::string::npos) << sentence;
    }
}

TEST(Disagreement, ScattersFromTwoRoots) {
    for (int each : {1, 5000}) {
        auto sentences = told(3, [&](Communicator &comm) {
            std::vector<int> send(static_cast<size_t>(each) * 3),
                receive(static_cast<size_t>(each));
            int root = comm.rank == 2 ? 2 : 0;
            Blocks blocks = Blocks::equal(send.data(), each, *find_datatype(MPI_INT));
            Block block{reinterpret_cast<char *>(receive.data()), each, find_datatype(MPI_INT)};
            return scatter(comm, comm.rank == root ? &blocks : nullptr, &block, root,
                           Collective::Scatter);
        });
        EXPECT_EQ(first_error(sentences).substr(0, root_error.size()), root_error);
    }
}

TEST(Disagreement, ARankSendsMoreThanTheRootHasRoomFor) {
    for (int ranks : {2, 5, 40})
        for (int each : {1, 5000})
            for (int odd : {0, 1, ranks - 1})
                for (int root : {0, ranks - 1}) {
                    auto sentences = told(ranks, [&](Communicator &comm) {
                        const int mine = each + (comm.rank == odd);
                        std::vector<int> send(static_cast<size_t>(mine)),
                            receive(static_cast<size_t>(each * ranks) + 1);
                        Block block{reinterpret_cast<char *>(send.data()), mine,
                                    find_datatype(MPI_INT)};
                        Blocks blocks =
                            Blocks::equal(receive.data(), each, *find_datatype(MPI_INT));
                        return gather(comm, &block, comm.rank == root ? &blocks : nullptr, root,
                                      Collective::Gather);
                    });
                    EXPECT_EQ(sentences[static_cast<size_t>(root)],
                              std::to_string(MPI_ERR_TRUNCATE) + ": rank " + std::to_string(odd) +
                                  " sends more than the root has room for")
                        << ranks << " ranks, " << each << " each, root " << root;
                }
}

TEST(Disagreement, TheRootSendsMoreThanARankHasRoomFor) {
    for (int ranks : {2, 5, 40})
        for (int each : {2, 5000})
            for (int odd : {1, ranks - 1}) {
                auto sentences = told(ranks, [&](Communicator &comm) {
                    const int mine = each - (comm.rank == odd);
                    std::vector<int> send(static_cast<size_t>(each * ranks)),
                        receive(static_cast<size_t>(each));
                    Block block{reinterpret_cast<char *>(receive.data()), mine,
                                find_datatype(MPI_INT)};
                    Blocks blocks = Blocks::equal(send.data(), each, *find_datatype(MPI_INT));
                    return scatter(comm, comm.rank == 0 ? &blocks : nullptr, &block, 0,
                                   Collective::Scatter);
                });
                EXPECT_EQ(errors(sentences), 1);
                EXPECT_EQ(sentences[static_cast<size_t>(odd)],
                          std::to_string(MPI_ERR_TRUNCATE) + ": the root sends " +
                              std::to_string(4 * each) + " bytes to rank " + std::to_string(odd) +
                              ", which has room for " + std::to_string(4 * each - 4));
            }
}

TEST(CollectiveName, IsThatOfTheForm) {
    EXPECT_STREQ(collective_name(Collective::Bcast), "MPI_Bcast");
    EXPECT_STREQ(collective_name(Collective::Exscan, NonblockingForm), "MPI_Iexscan");
    EXPECT_STREQ(collective_name(Collective::Barrier, PersistentForm), "MPI_Barrier_init");
    // The operation in which the members of a communicator that spans processes make a duplicate.
    EXPECT_STREQ(collective_name(Collective::ContextId, NonblockingForm), "MPI_Comm_dup");
    EXPECT_STREQ(collective_name(Collective::Finalize), "MPI_Finalize");
}

} // namespace
} // namespace thrum
