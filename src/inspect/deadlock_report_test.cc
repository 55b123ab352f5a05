// Deadlock reports from made-up states of ranks.
#include "inspect/deadlock_report.h"
#include "mpi.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using Kind = PendingOperation::Kind;
using Lines = std::vector<std::string>;

Snapshot world_of(int count) {
    Snapshot snapshot;
    CommunicatorState &world = snapshot.communicators.emplace_back();
    world.name = "MPI_COMM_WORLD";
    world.size = count;
    for (int i = 0; i < count; ++i) {
        world.members.push_back(i);
        RankState &rank = snapshot.ranks.emplace_back();
        rank.world_rank = i;
    }
    return snapshot;
}

void receive(RankState &rank, int peer, int tag, const char *function = "MPI_Recv",
             const char *place = "ring.c:23 in exchange") {
    rank.function = function;
    rank.place = place;
    rank.operation.kind = Kind::Receive;
    rank.operation.own_rank = rank.world_rank;
    rank.operation.peer = peer;
    rank.operation.peer_world_rank = peer == MPI_ANY_SOURCE ? -1 : peer;
    rank.operation.tag = tag;
    rank.operation.communicator = 0;
}

void collective(RankState &rank, const char *function, const char *place) {
    rank.function = function;
    rank.place = place;
    rank.operation.kind = Kind::Collective;
    rank.operation.own_rank = rank.world_rank;
    rank.operation.communicator = 0;
}

TEST(CallLines, AreThoseOfADeadlockWithoutItsHeadline) {
    Snapshot snapshot = world_of(3);
    EXPECT_EQ(call_lines(snapshot), Lines()); // nobody is in a call
    receive(snapshot.ranks[0], 1, 5);
    receive(snapshot.ranks[1], 0, 5);
    Lines expected = deadlock_lines(snapshot);
    expected.erase(expected.begin());
    EXPECT_EQ(call_lines(snapshot), expected);
    EXPECT_EQ(expected.size(), 3U); // the two receives, the one outside MPI, the cycle
}

TEST(CallLines, OfOneProcessOfSeveralSayNothingOfRanksElsewhere) {
    Snapshot snapshot = world_of(3);
    snapshot.ranks.pop_back(); // it is in another process, and may be in the barrier
    collective(snapshot.ranks[0], "MPI_Barrier", "a.c:1 in main");
    receive(snapshot.ranks[1], 1, 5);
    snapshot.is_partial = true;
    EXPECT_EQ(
        call_lines(snapshot),
        (Lines{"  rank 0: MPI_Barrier on MPI_COMM_WORLD, at a.c:1 in main",
               "  rank 1: MPI_Recv from rank 1, tag 5, MPI_COMM_WORLD, at ring.c:23 in exchange"}));
}

TEST(PartialHeadline, SaysHowManyWaitAndForWhat) {
    EXPECT_EQ(partial_headline({.ranks = {0, 1}, .polling = {}}, 5),
              "DEADLOCK: 2 of 5 ranks wait for each other and can never go on: ranks 0,1");
    EXPECT_EQ(partial_headline({.ranks = {3}, .polling = {}}, 5),
              "DEADLOCK: rank 3 waits for itself and can never go on");
    EXPECT_EQ(partial_headline({.ranks = {3}, .polling = {}, .some_have_ended = true}, 5),
              "DEADLOCK: rank 3 waits for ranks that have ended and can never go on");
}

TEST(PartialHeadline, SaysWhichPoll) {
    EXPECT_EQ(partial_headline({.ranks = {0, 1}, .polling = {0, 1}}, 5),
              "LIVELOCK: 2 of 5 ranks wait for each other, by polls, and can never go on: "
              "ranks 0,1");
    EXPECT_EQ(partial_headline({.ranks = {0, 1, 2}, .polling = {1}}, 3),
              "LIVELOCK: 3 of 3 ranks wait for each other, rank 1 by polls, and can never go on: "
              "ranks 0-2");
}

TEST(DeadlockReport, RanksThatPollAreNotThoseThatWait) {
    Snapshot snapshot = world_of(2);
    receive(snapshot.ranks[0], 1, 5);
    receive(snapshot.ranks[1], 1, 5);
    snapshot.ranks[1].polls = 3;
    EXPECT_EQ(call_lines(snapshot)[1],
              "  rank 1: MPI_Recv from rank 1, tag 5, MPI_COMM_WORLD, at ring.c:23 in exchange, "
              "again and again, with 2 other polls");
}

TEST(DeadlockReport, ARingIsOneLineAndItsCycle) {
    Snapshot snapshot = world_of(8);
    for (RankState &rank : snapshot.ranks)
        receive(rank, (rank.world_rank + 1) % 8, 5);
    EXPECT_EQ(deadlock_lines(snapshot),
              (Lines{"DEADLOCK: all 8 ranks are blocked and no message can arrive",
                     "  ranks 0-7: MPI_Recv from rank+1 (mod size), tag 5, MPI_COMM_WORLD, "
                     "at ring.c:23 in exchange",
                     "  8 ranks wait for each other in a cycle: "
                     "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0"}));
}

TEST(DeadlockReport, ARingTheOtherWayRoundIsToldByItsShortSide) {
    Snapshot snapshot = world_of(8);
    for (RankState &rank : snapshot.ranks)
        receive(rank, (rank.world_rank + 7) % 8, 5);
    EXPECT_EQ(deadlock_lines(snapshot)[1],
              "  ranks 0-7: MPI_Recv from rank-1 (mod size), tag 5, MPI_COMM_WORLD, "
              "at ring.c:23 in exchange");
}

TEST(DeadlockReport, WorkersThatWaitForTheirMasterAreOneLine) {
    Snapshot snapshot = world_of(1000);
    for (RankState &rank : snapshot.ranks)
        receive(rank, 0, 7, "MPI_Recv", "work.c:5 in work");
    receive(snapshot.ranks[0], MPI_ANY_SOURCE, MPI_ANY_TAG, "MPI_Recv", "work.c:9 in lead");
    Lines lines = deadlock_lines(snapshot);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[1],
              "  rank 0: MPI_Recv from any source, any tag, MPI_COMM_WORLD, at work.c:9 in lead");
    EXPECT_EQ(lines[2],
              "  ranks 1-999: MPI_Recv from rank 0, tag 7, MPI_COMM_WORLD, at work.c:5 in work");
}

TEST(DeadlockReport, AHypercubeExchangeIsToldByExclusiveOr) {
    Snapshot snapshot = world_of(8);
    for (RankState &rank : snapshot.ranks)
        receive(rank, rank.world_rank ^ 1, 0, "MPI_Sendrecv", "x.c:1 in f");
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines[1], "  ranks 0-7: MPI_Sendrecv, to receive from rank xor 1, tag 0, "
                        "MPI_COMM_WORLD, at x.c:1 in f");
    EXPECT_EQ(lines[2], "  2 ranks wait for each other in a cycle: 0 -> 1 -> 0");
}

TEST(DeadlockReport, LargeSendsTellTheirSize) {
    Snapshot snapshot = world_of(2);
    for (RankState &rank : snapshot.ranks) {
        receive(rank, 1 - rank.world_rank, 3, "MPI_Send", "head.c:8 in main");
        rank.operation.kind = Kind::Send;
        rank.operation.size_bytes = 1000000;
    }
    EXPECT_EQ(deadlock_lines(snapshot)[1],
              "  ranks 0,1: MPI_Send of 1000000 bytes to each other, tag 3, MPI_COMM_WORLD, "
              "at head.c:8 in main");
}

TEST(DeadlockReport, ACollectiveNamesWhoDoesNotCome) {
    Snapshot snapshot = world_of(8);
    for (RankState &rank : snapshot.ranks)
        collective(rank, "MPI_Barrier", "b.c:4 in main");
    receive(snapshot.ranks[6], 2, 1, "MPI_Recv", "b.c:2 in main");
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines[1],
              "  ranks 0-5,7: MPI_Barrier on MPI_COMM_WORLD, at b.c:4 in main; missing: rank 6");
    EXPECT_EQ(lines[2], "  rank 6: MPI_Recv from rank 2, tag 1, MPI_COMM_WORLD, at b.c:2 in main");
}

TEST(DeadlockReport, ARankThatIsAheadInAnotherCollectiveIsNotMissed) {
    Snapshot snapshot = world_of(4);
    for (RankState &rank : snapshot.ranks)
        collective(rank, rank.world_rank == 0 ? "MPI_Reduce" : "MPI_Barrier", "m.c:1 in main");
    receive(snapshot.ranks[3], 2, 1, "MPI_Recv", "m.c:9 in main");
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines[1],
              "  rank 0: MPI_Reduce on MPI_COMM_WORLD, at m.c:1 in main; missing: rank 3");
    EXPECT_EQ(lines[2],
              "  ranks 1,2: MPI_Barrier on MPI_COMM_WORLD, at m.c:1 in main; missing: rank 3");
}

TEST(DeadlockReport, EndedRanksAreNamed) {
    Snapshot snapshot = world_of(4);
    for (RankState &rank : snapshot.ranks)
        collective(rank, "MPI_Barrier", "b.c:4 in main");
    snapshot.ranks[3].ended = true;
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines[0],
              "DEADLOCK: all 3 ranks that have not ended are blocked and no message can arrive");
    EXPECT_EQ(lines[1], "  ranks 0-2: MPI_Barrier on MPI_COMM_WORLD, at b.c:4 in main; "
                        "missing: rank 3 (ended)");
    EXPECT_EQ(lines[2], "  rank 3 has ended");
}

TEST(DeadlockReport, AWaitTellsThePendingRequestsOfOneRank) {
    Snapshot snapshot = world_of(2);
    for (RankState &rank : snapshot.ranks) {
        rank.function = "MPI_Waitall";
        rank.place = "w.c:9 in main";
        rank.operation.kind = Kind::Requests;
        rank.request_count = 3;
        PendingOperation pending;
        pending.kind = Kind::Receive;
        pending.peer = pending.peer_world_rank = 1 - rank.world_rank;
        pending.tag = 4;
        pending.communicator = 0;
        rank.requests = {pending};
    }
    EXPECT_EQ(deadlock_lines(snapshot)[1],
              "  ranks 0,1: MPI_Waitall (rank 0: for 3 requests: receive from rank 1, tag 4, "
              "MPI_COMM_WORLD; ...), at w.c:9 in main");
}

TEST(DeadlockReport, AWaitForACollectiveNamesItAndWhoHasNotCome) {
    Snapshot snapshot = world_of(4);
    for (RankState &rank : snapshot.ranks) {
        rank.function = "MPI_Wait";
        rank.place = "w.c:7 in main";
        rank.operation.kind = PendingOperation::Kind::Requests;
        rank.operation.communicator = 0;
        rank.operation.name = "MPI_Ibcast";
        rank.operation.missing = {3};
        rank.request_count = 1;
    }
    receive(snapshot.ranks[3], 2, 1, "MPI_Recv", "w.c:9 in main");
    EXPECT_EQ(deadlock_lines(snapshot)[1],
              "  ranks 0-2: MPI_Wait for MPI_Ibcast on MPI_COMM_WORLD, "
              "at w.c:7 in main; missing: rank 3");
}

TEST(DeadlockReport, AMessageWithAnotherTagIsPointedOut) {
    Snapshot snapshot = world_of(2);
    receive(snapshot.ranks[1], 0, 5);
    snapshot.ranks[0].ended = true;
    snapshot.unmatched.push_back({1, 0, 6, 0});
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines[0], "DEADLOCK: rank 1 is blocked and no message can arrive");
    EXPECT_EQ(lines.back(),
              "  rank 1 has an unmatched message from rank 0 with tag 6 on MPI_COMM_WORLD");
}

TEST(DeadlockReport, TheMessageNearestToWhatItsReceiverWaitsForComesFirst) {
    Snapshot snapshot = world_of(3);
    receive(snapshot.ranks[1], 2, 5);
    collective(snapshot.ranks[0], "MPI_Barrier", "a.c:1 in main");
    collective(snapshot.ranks[2], "MPI_Barrier", "a.c:1 in main");
    snapshot.unmatched = {{0, 2, 7, 0}, {1, 0, 6, 0}, {1, 0, 5, 0}, {1, 2, 4, 0}};
    Lines lines = deadlock_lines(snapshot);
    ASSERT_GE(lines.size(), 4U);
    const Lines last(lines.end() - 4, lines.end());
    EXPECT_EQ(
        last,
        (Lines{"  rank 1 has an unmatched message from rank 2 with tag 4 on MPI_COMM_WORLD",
               "  rank 1 has an unmatched message from rank 0 with tag 5 on MPI_COMM_WORLD",
               "  rank 1 has an unmatched message from rank 0 with tag 6 on MPI_COMM_WORLD",
               "  rank 0 has an unmatched message from rank 2 with tag 7 on MPI_COMM_WORLD"}));
}

TEST(DeadlockReport, ACollectiveOperationAndAReceiveMakeACycle) {
    Snapshot snapshot = world_of(3);
    collective(snapshot.ranks[0], "MPI_Barrier", "a.c:1 in main");
    collective(snapshot.ranks[1], "MPI_Barrier", "a.c:1 in main");
    receive(snapshot.ranks[2], 0, 5);
    EXPECT_EQ(deadlock_lines(snapshot).back(),
              "  2 ranks wait for each other in a cycle: 0 -> 2 -> 0");
}

TEST(DeadlockReport, TwoCommunicatorsInOtherOrderMakeACycle) {
    Snapshot snapshot = world_of(3);
    snapshot.communicators.push_back(snapshot.communicators[0]);
    for (RankState &rank : snapshot.ranks)
        collective(rank, "MPI_Barrier", "a.c:1 in main");
    snapshot.ranks[1].operation.communicator = 1;
    EXPECT_EQ(deadlock_lines(snapshot).back(),
              "  2 ranks wait for each other in a cycle: 0 -> 1 -> 0");
}

TEST(DeadlockReport, WhoWaitsForTheRootDoesNotWaitForOthers) {
    Snapshot snapshot = world_of(3);
    receive(snapshot.ranks[0], 2, 5);
    receive(snapshot.ranks[1], 0, 5); // keeps rank 0 only
    collective(snapshot.ranks[2], "MPI_Bcast", "a.c:1 in main");
    snapshot.ranks[2].operation.peer = snapshot.ranks[2].operation.peer_world_rank = 0;
    EXPECT_EQ(deadlock_lines(snapshot).back(),
              "  2 ranks wait for each other in a cycle: 0 -> 2 -> 0");
}

TEST(DeadlockReport, PeersInASmallerCommunicatorAreTranslated) {
    Snapshot snapshot = world_of(4);
    snapshot.communicators.push_back({"row", {2, 3}, 2});
    for (RankState &rank : snapshot.ranks)
        rank.ended = rank.world_rank != 2;
    receive(snapshot.ranks[2], 1, 0, "MPI_Recv", "");
    snapshot.ranks[2].operation.own_rank = 0;
    snapshot.ranks[2].operation.peer_world_rank = 3;
    snapshot.ranks[2].operation.communicator = 1;
    EXPECT_EQ(deadlock_lines(snapshot)[1],
              "  rank 2: MPI_Recv from rank 1 (world rank 3), tag 0, \"row\" (2 ranks)");
}

TEST(DeadlockReport, ManyGroupsAreCut) {
    Snapshot snapshot = world_of(100);
    std::vector<std::string> places;
    for (int i = 0; i < 100; ++i)
        places.push_back("p.c:" + std::to_string(i));
    for (RankState &rank : snapshot.ranks)
        receive(rank, MPI_ANY_SOURCE, 0, "MPI_Recv",
                places[static_cast<size_t>(rank.world_rank)].c_str());
    Lines lines = deadlock_lines(snapshot);
    EXPECT_EQ(lines.size(), 22u);
    EXPECT_EQ(lines.back(), "  ... and 80 more groups");
}

TEST(DeadlockReport, ManyTagsAreARange) {
    Snapshot snapshot = world_of(50);
    for (RankState &rank : snapshot.ranks)
        receive(rank, 0, 100 + rank.world_rank, "MPI_Recv", "t.c:1 in main");
    EXPECT_EQ(
        deadlock_lines(snapshot)[1],
        "  ranks 0-49: MPI_Recv from rank 0, tags 100 to 149, MPI_COMM_WORLD, at t.c:1 in main");
}

// Fills in what a layer above point-to-point communication waits for, with its own text.
void described(RankState &rank, const char *function, const char *text, int waits_for) {
    rank.function = function;
    rank.place = "locks.c:9 in main";
    rank.operation.kind = Kind::Described;
    rank.operation.own_rank = rank.world_rank;
    rank.operation.communicator = 0;
    rank.operation.text = text;
    rank.operation.peer_world_rank = waits_for;
}

TEST(DeadlockReport, DescribedOperationsAreGroupedByTheirTextAndMakeCycles) {
    Snapshot snapshot = world_of(4);
    described(snapshot.ranks[0], "MPI_Win_lock", "(shared, rank 1) on a window", 3);
    described(snapshot.ranks[1], "MPI_Win_wait", " on a window", -1);
    described(snapshot.ranks[2], "MPI_Win_wait", " on a window", -1);
    described(snapshot.ranks[3], "MPI_Win_lock", "(exclusive, rank 0) on a window", 0);
    EXPECT_EQ(deadlock_lines(snapshot),
              (Lines{"DEADLOCK: all 4 ranks are blocked and no message can arrive",
                     "  rank 0: MPI_Win_lock(shared, rank 1) on a window, at locks.c:9 in main",
                     "  ranks 1,2: MPI_Win_wait on a window, at locks.c:9 in main",
                     "  rank 3: MPI_Win_lock(exclusive, rank 0) on a window, at locks.c:9 in main",
                     "  2 ranks wait for each other in a cycle: 0 -> 3 -> 0"}));
}

TEST(DeadlockReport, InAnInterCommunicatorTheSameNumberIsAnotherRank) {
    Snapshot snapshot = world_of(4);
    for (RankState &rank : snapshot.ranks) {
        receive(rank, rank.world_rank % 2, 9);
        rank.operation.own_rank = rank.world_rank % 2;
        rank.operation.inter = true;
    }
    Lines lines = deadlock_lines(snapshot);
    ASSERT_GE(lines.size(), 2u);
    EXPECT_NE(lines[1].find("ranks 0-3: MPI_Recv from the same rank of the other group"),
              std::string::npos)
        << lines[1];
}

} // namespace
} // namespace thrum
