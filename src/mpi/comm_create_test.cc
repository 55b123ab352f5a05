// Creates communicators from many ranks at once.
#include "comm/assembly.h"
#include "comm/attributes.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/testing/processes.h"
#include "entry/calls.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>

namespace thrum {
namespace {

Communicator &object(MPI_Comm handle) {
    return *find_communicator(handle);
}

void free_comm(MPI_Comm handle) {
    EXPECT_FALSE(mpi::comm_free(&handle));
    EXPECT_EQ(handle, MPI_COMM_NULL);
}

class CommCreation : public testing::TestWithParam<bool> {
protected:
    TeamOptions options() const { return {.workers = 2, .os_threads = GetParam()}; }
};

INSTANTIATE_TEST_SUITE_P(Layers, CommCreation, testing::Bool(),
                         [](const auto &test) { return test.param ? "OsThreads" : "Fibers"; });

TEST_P(CommCreation, SplitOrdersMembersByKeyAndBreaksTiesByRank) {
    constexpr int ranks = 13;
    run_processes(
        ranks,
        [](Process &self) {
            int rank = self.world_rank();
            MPI_Comm part;
            // Keys: the even ranks' are descending, the odd ranks' are equal.
            ASSERT_FALSE(mpi::comm_split(*self.world, rank % 2, rank % 2 ? 5 : -rank, &part));
            Communicator &comm = object(part);
            EXPECT_EQ(comm.size, rank % 2 ? ranks / 2 : (ranks + 1) / 2);
            for (int i = 0; i < comm.size; ++i)
                EXPECT_EQ(comm.peer(i).world_rank(), rank % 2 ? 2 * i + 1 : ranks - 1 - 2 * i);
            EXPECT_EQ(&comm.peer(comm.rank), &self);
            free_comm(part);
        },
        options());
}

TEST_P(CommCreation, UndefinedColorGivesNoCommunicator) {
    run_processes(
        6,
        [](Process &self) {
            MPI_Comm part;
            ASSERT_FALSE(
                mpi::comm_split(*self.world, self.world_rank() < 4 ? 1 : MPI_UNDEFINED, 0, &part));
            if (self.world_rank() >= 4) {
                EXPECT_EQ(part, MPI_COMM_NULL);
                return;
            }
            EXPECT_EQ(object(part).size, 4);
            free_comm(part);
        },
        options());
}

TEST_P(CommCreation, AWrongColorOfOneMemberIsEverybodysError) {
    run_processes(
        5,
        [](Process &self) {
            MPI_Comm part = MPI_COMM_NULL;
            Error error = mpi::comm_split(*self.world, self.world_rank() == 3 ? -7 : 0, 0, &part);
            EXPECT_EQ(error.code(), MPI_ERR_ARG);
            EXPECT_EQ(part, MPI_COMM_NULL);
        },
        options());
}

TEST_P(CommCreation, ADuplicateHasAContextOfItsOwnAndTheErrorHandler) {
    run_processes(
        8,
        [](Process &self) {
            self.world->errhandler = &errors_return;
            MPI_Comm first, second;
            ASSERT_FALSE(mpi::comm_dup(*self.world, &first));
            ASSERT_FALSE(mpi::comm_dup(*self.world, &second));
            EXPECT_NE(object(first).context->id, self.world->context->id);
            EXPECT_NE(object(first).context->id, object(second).context->id);
            EXPECT_EQ(object(first).errhandler, &errors_return);
            // All members have the same context in each.
            MPI_Comm check;
            ASSERT_FALSE(mpi::comm_split(object(second), 0,
                                         static_cast<int>(object(first).context->id), &check));
            for (int i = 0; i < object(check).size; ++i)
                EXPECT_EQ(object(check).peer(i).world_rank(), i); // equal keys keep the order
            free_comm(check);
            free_comm(first);
            free_comm(second);
        },
        options());
}

TEST_P(CommCreation, DuplicatingDoesNotWaitForTheOthers) {
    std::atomic<int> arrived{0};
    run_processes(
        3,
        [&](Process &self) {
            MPI_Comm copies[1000];
            if (self.world_rank() == 0) { // the others come only after rank 0 has all duplicates
                for (MPI_Comm &copy : copies)
                    ASSERT_FALSE(mpi::comm_dup(*self.world, &copy));
                arrived.store(1, std::memory_order_release); // release [test-1]
                for (MPI_Comm copy : copies)
                    free_comm(copy);
                return;
            }
            while (arrived.load(std::memory_order_acquire) == 0) // acquire [test-1]
                yield();
            for (MPI_Comm &copy : copies)
                ASSERT_FALSE(mpi::comm_dup(*self.world, &copy));
            uint32_t id_before = 0;
            for (MPI_Comm copy : copies) {
                EXPECT_GT(object(copy).context->id, id_before);
                id_before = object(copy).context->id;
            }
            for (MPI_Comm copy : copies)
                free_comm(copy);
        },
        options());
}

TEST_P(CommCreation, DisjointGroupsMayBeCreatedInOneCall) {
    run_processes(
        9,
        [](Process &self) {
            int rank = self.world_rank();
            // {0 3 6}, {7 4 1} and no group.
            static const int lists[2][3] = {{0, 3, 6}, {7, 4, 1}};
            MPI_Group group = MPI_GROUP_EMPTY;
            if (rank % 3 != 2) {
                ASSERT_FALSE(mpi::group_incl(*self.world->group, 3, lists[rank % 3], &group));
            }
            MPI_Comm created;
            ASSERT_FALSE(mpi::comm_create(*self.world, *find_group(group), &created));
            if (rank % 3 == 2) {
                EXPECT_EQ(created, MPI_COMM_NULL);
                return;
            }
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(object(created).peer(i).world_rank(), lists[rank % 3][i]);
            free_comm(created);
            EXPECT_FALSE(mpi::group_free(&group));
        },
        options());
}

TEST_P(CommCreation, GroupsCreateAgainAndAgainWithoutTheOtherMembers) {
    run_processes(
        12,
        [](Process &self) {
            int rank = self.world_rank();
            for (int round = 0; round < 50; ++round) {
                // Groups of 2, 3, 4 and 6 neighbours in turn: overlapping over the rounds, one tag.
                int width = std::array{2, 3, 4, 6}[static_cast<size_t>(round) % 4];
                int range[][3] = {{rank / width * width, rank / width * width + width - 1, 1}};
                MPI_Group group;
                ASSERT_FALSE(mpi::group_range_incl(*self.world->group, 1, range, &group));
                MPI_Comm created;
                ASSERT_FALSE(mpi::comm_create_group(*self.world, *find_group(group), 3, &created));
                EXPECT_EQ(object(created).size, width);
                EXPECT_EQ(object(created).rank, rank % width);
                free_comm(created);
                EXPECT_FALSE(mpi::group_free(&group));
            }
        },
        options());
}

TEST_P(CommCreation, InterCommunicatorsJoinManyPairsOfGroupsAtOnce) {
    static constexpr int ranks = 12,
                         width = 3; // groups 0|1 and 2|3 pair up, over the same peer and tag
    run_processes(
        ranks,
        [](Process &self) {
            int rank = self.world_rank(), mine = rank / width, other = mine ^ 1;
            MPI_Comm local, inter, merged;
            ASSERT_FALSE(mpi::comm_split(*self.world, mine, 0, &local));
            int leader = width - 1;
            ASSERT_FALSE(mpi::intercomm_create(object(local), leader, self.world,
                                               other * width + leader, 9, &inter));
            Communicator &comm = object(inter);
            EXPECT_TRUE(comm.inter);
            EXPECT_EQ(comm.size, width);
            EXPECT_EQ(comm.remote_size, width);
            EXPECT_EQ(comm.side, mine % 2);
            for (int i = 0; i < width; ++i)
                EXPECT_EQ(comm.peer(i).world_rank(), other * width + i);
            ASSERT_FALSE(
                mpi::intercomm_merge(comm, mine % 2 == 0, &merged)); // the even group comes last
            EXPECT_EQ(object(merged).rank, rank % width + (mine % 2 == 0 ? width : 0));
            EXPECT_EQ(object(merged).size, 2 * width);
            free_comm(merged);
            free_comm(inter);
            free_comm(local);
        },
        options());
}

TEST_P(CommCreation, SplittingAnInterCommunicatorPairsEqualColors) {
    run_processes(
        8,
        [](Process &self) {
            int rank = self.world_rank(), half = rank / 4;
            MPI_Comm local, inter, part;
            ASSERT_FALSE(mpi::comm_split(*self.world, half, 0, &local));
            ASSERT_FALSE(
                mpi::intercomm_create(object(local), 0, self.world, half ? 0 : 4, 1, &inter));
            // Color 0 on both sides, color 1 and 2 on one side each.
            int color = rank % 4 < 2 ? 0 : half + 1;
            ASSERT_FALSE(mpi::comm_split(object(inter), color, -rank, &part));
            if (color != 0) {
                EXPECT_EQ(part, MPI_COMM_NULL);
            } else {
                EXPECT_EQ(object(part).size, 2);
                EXPECT_EQ(object(part).peer(0).world_rank(), half ? 1 : 5);
                EXPECT_EQ(object(part).peer(1).world_rank(), half ? 0 : 4);
                free_comm(part);
            }
            free_comm(inter);
            free_comm(local);
        },
        options());
}

TEST_P(CommCreation, GroupsWithAProcessInCommonCannotBeJoined) {
    run_processes(
        2,
        [](Process &self) {
            // Both ranks are in both groups: each is the leader of one.
            MPI_Comm local, inter = MPI_COMM_NULL;
            ASSERT_FALSE(mpi::comm_dup(*self.world, &local));
            Error error = mpi::intercomm_create(object(local), self.world_rank(), self.world,
                                                1 - self.world_rank(), 4, &inter);
            EXPECT_EQ(error.code(), MPI_ERR_COMM);
            EXPECT_EQ(inter, MPI_COMM_NULL);
            free_comm(local);
        },
        options());
}

TEST_P(CommCreation, AFreedCommunicatorIsFoundOut) {
    run_processes(
        4,
        [](Process &self) {
            MPI_Comm copy;
            ASSERT_FALSE(mpi::comm_dup(*self.world, &copy));
            MPI_Comm stale = copy;
            free_comm(copy);
            EXPECT_EQ(find_communicator(stale), nullptr);
            EXPECT_EQ(mpi::comm_free(&stale).code(), MPI_ERR_COMM);
            MPI_Comm world = MPI_COMM_WORLD;
            EXPECT_EQ(mpi::comm_free(&world).code(), MPI_ERR_COMM);
        },
        options());
}

} // namespace
} // namespace thrum
