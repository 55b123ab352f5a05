// Warnings about leaks from made-up findings.
#include "inspect/leak_report.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using Lines = std::vector<std::string>;

Leak leak(MadeKind kind, const char *function, const char *place, std::map<int, int> by_rank) {
    return {.kind = kind,
            .function = function,
            .place = place,
            .message = "",
            .by_rank = std::move(by_rank)};
}

Lines lines_of(const std::vector<Leak> &leaks) {
    size_t places = 0;
    return leak_lines(leaks, places);
}

TEST(LeakReport, NamesObjectsCallPlaceAndRanks) {
    EXPECT_EQ(lines_of({leak(MadeKind::Communicator, "MPI_Comm_dup", "halo.c:31 in main",
                             {{0, 1}, {1, 1}, {2, 1}, {3, 1}})}),
              Lines{"warning: 4 communicators made by MPI_Comm_dup at halo.c:31 in main were never "
                    "freed (ranks 0-3, one each)"});
    EXPECT_EQ(lines_of({leak(MadeKind::Window, "MPI_Win_create", "a.c:3 in f", {{7, 1}})}),
              Lines{"warning: 1 window made by MPI_Win_create at a.c:3 in f was never freed "
                    "(rank 7)"});
    EXPECT_EQ(lines_of({leak(MadeKind::File, "MPI_File_open", "a.out+0x12", {{0, 2}, {5, 2}})}),
              Lines{"warning: 4 files opened by MPI_File_open at a.out+0x12 were never closed "
                    "(ranks 0,5, 2 each)"});
    EXPECT_EQ(lines_of({leak(MadeKind::Errhandler, "MPI_Comm_get_errhandler", "a.c:3 in f",
                             {{0, 1}, {1, 3}})}),
              Lines{"warning: 4 error handlers returned by MPI_Comm_get_errhandler at a.c:3 in f "
                    "were never freed (ranks 0,1)"});
}

TEST(LeakReport, MessagesHaveReceivers) {
    Leak unknown = leak(MadeKind::SentMessage, "", "", {{2, 1}});
    unknown.message = "from rank 1 with tag 5 (4 bytes) on MPI_COMM_WORLD";
    EXPECT_EQ(lines_of({leak(MadeKind::SentMessage, "", "a.c:9 in f", {{0, 2}, {1, 2}}), unknown}),
              (Lines{"warning: 1 message from rank 1 with tag 5 (4 bytes) on MPI_COMM_WORLD was "
                     "never received (by rank 2)",
                     "warning: 4 messages sent at a.c:9 in f were never received (by ranks 0,1, 2 "
                     "each)"}));
}

TEST(LeakReport, MergesPlacesOfOneLineInTheOrderOfKinds) {
    size_t places = 0;
    const Lines lines = leak_lines({leak(MadeKind::Group, "MPI_Comm_group", "a.c:9 in f", {{0, 1}}),
                                    leak(MadeKind::Request, "MPI_Irecv", "b.c:2 in g", {{4, 1}}),
                                    leak(MadeKind::Request, "MPI_Irecv", "b.c:2 in g", {{4, 2}}),
                                    leak(MadeKind::Request, "MPI_Isend", "b.c:2 in g", {{4, 1}})},
                                   places);
    EXPECT_EQ(places, 3u);
    EXPECT_EQ(lines, (Lines{"warning: 3 requests made by MPI_Irecv at b.c:2 in g were never "
                            "completed (rank 4)",
                            "warning: 1 request made by MPI_Isend at b.c:2 in g was never "
                            "completed (rank 4)",
                            "warning: 1 group made by MPI_Comm_group at a.c:9 in f was never freed "
                            "(rank 0)"}));
}

TEST(LeakReport, HasTwentyLinesAtMost) {
    std::vector<Leak> leaks;
    for (int i = 0; i < 20; ++i) {
        const std::string place = "a.c:" + std::to_string(100 + i) + " in f";
        leaks.push_back(leak(MadeKind::Op, "MPI_Op_create", place.c_str(), {{0, 1}}));
    }
    EXPECT_EQ(lines_of(leaks).size(), 20u);
    leaks.push_back(leak(MadeKind::Op, "MPI_Op_create", "b.c:1 in f", {{0, 1}}));
    EXPECT_EQ(lines_of(leaks).size(), 21u);
    EXPECT_EQ(lines_of(leaks).back(), "warning: ... and leaks at 1 more place");
    leaks.push_back(leak(MadeKind::Op, "MPI_Op_create", "b.c:2 in f", {{0, 1}}));
    EXPECT_EQ(lines_of(leaks).back(), "warning: ... and leaks at 2 more places");
}

} // namespace
} // namespace thrum
