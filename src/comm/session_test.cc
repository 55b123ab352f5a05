#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"
#include "comm/process_sets.h"
#include "comm/session.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

class SessionTest : public ::testing::Test {
protected:
    void SetUp() override { create_processes(4); }

    Session &open(int rank) { return *new_session(process_at(rank), errors_return, *new_info()); }
};

TEST_F(SessionTest, AProcessIsActiveWhileASessionOrTheWorldModelLives) {
    Process &process = process_at(1);
    EXPECT_FALSE(is_unfinished(process));
    EXPECT_FALSE(has_begun(process));
    Session &first = open(1), &second = open(1);
    EXPECT_TRUE(is_unfinished(process));
    finalize_session(first);
    EXPECT_TRUE(is_unfinished(process));
    EXPECT_TRUE(begin_world(process, MPI_THREAD_SINGLE));
    EXPECT_FALSE(begin_world(process, MPI_THREAD_SINGLE));
    finalize_session(second);
    EXPECT_TRUE(is_unfinished(process));
    end_world(process);
    EXPECT_FALSE(is_unfinished(process));
    EXPECT_TRUE(has_begun(process));
    EXPECT_FALSE(begin_world(process, MPI_THREAD_SINGLE)); // not a second time
}

TEST_F(SessionTest, AHandleIsStaleOnceItsSessionIsFinalizedAlsoWhileAGroupKeepsIt) {
    Session &session = open(0);
    Group *group = new_pset_group(process_at(0), "mpi://WORLD", &session);
    EXPECT_EQ(find_session(&session), &session);
    EXPECT_EQ(live_session(group->session), &session);
    finalize_session(session);
    EXPECT_EQ(find_session(&session), nullptr);
    EXPECT_EQ(live_session(group->session), nullptr);
    release(*group);
}

TEST_F(SessionTest, ProcessSetsAreKnownByNameInUpperOrLowerCase) {
    Process &process = process_at(2);
    Group *world = new_pset_group(process, "mpi://world", nullptr);
    Group *self = new_pset_group(process, "MPI://SELF", nullptr);
    ASSERT_TRUE(world && self);
    EXPECT_EQ(world->size, 4);
    EXPECT_EQ(self->size, 1);
    EXPECT_EQ(self->rank_of(process), 0);
    EXPECT_EQ(new_pset_group(process, "mpi://", nullptr), nullptr);
    release(*world);
    release(*self);
}

TEST_F(SessionTest, AGroupOfAnotherSessionIsACopyWithTheSameMembers) {
    Session &session = open(0);
    Group &world = *process_at(0).world->group;
    Group *copy = group_of_session(world, &session);
    EXPECT_NE(copy, &world);
    EXPECT_TRUE(same_members(*copy, world));
    Group *same = group_of_session(*copy, &session);
    EXPECT_EQ(same, copy);
    release(*same);
    release(*copy);
    finalize_session(session);
}

TEST(MemoryKinds, WhatIsSupportedIsKeptAsItWasAskedFor) {
    auto kinds = [](const std::string &asked) {
        return supported_memory_kinds(&asked);
    };
    EXPECT_EQ(supported_memory_kinds(nullptr), "mpi,system");
    EXPECT_EQ(kinds("system,gpu:device"), "mpi,system");
    EXPECT_EQ(kinds("mpi:alloc_mem:win_allocate,mpi:other"),
              "mpi,system,mpi:alloc_mem:win_allocate");
    EXPECT_EQ(kinds(""), "mpi,system");
}

} // namespace
} // namespace thrum
