#include "entry/calls.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace thrum;

namespace {

void *handle_at(uintptr_t n) {
    return reinterpret_cast<void *>(0x10000000 + n * 16);
}

MPI_Request request_at(uintptr_t n) {
    return static_cast<MPI_Request>(handle_at(n));
}

TEST(HandleConversion, ConstantsAreTheirOwnNumbers) {
    EXPECT_EQ(mpi::comm_c2f(MPI_COMM_WORLD), 257);
    EXPECT_EQ(mpi::type_f2c(537), MPI_INTEGER);
    EXPECT_EQ(mpi::request_c2f(MPI_REQUEST_NULL), 384);
}

TEST(HandleConversion, NumbersThatNobodyHasAreNullHandles) {
    EXPECT_EQ(mpi::comm_f2c(-1), MPI_COMM_NULL);
    EXPECT_EQ(mpi::request_f2c(2147483647), MPI_REQUEST_NULL);
    EXPECT_EQ(mpi::op_f2c(1 << 30), MPI_OP_NULL);
}

TEST(HandleConversion, ManyHandlesKeepTheirNumbers) {
    constexpr uintptr_t many = 100000; // more than the first blocks of the table hold
    std::vector<int> numbers;
    for (uintptr_t i = 0; i < many; ++i)
        numbers.push_back(mpi::request_c2f(request_at(i)));
    for (uintptr_t i = 0; i < many; ++i) {
        ASSERT_GE(numbers[i], 4096);
        ASSERT_EQ(mpi::request_f2c(numbers[i]), request_at(i));
        ASSERT_EQ(mpi::request_c2f(request_at(i)), numbers[i]);
    }
}

TEST(HandleConversion, ThreadsGetTheSameNumberForTheSameHandle) {
    constexpr int threads = 4;
    constexpr uintptr_t first = 1000000, many = 20000;
    std::vector<int> numbers[threads];
    std::vector<std::thread> team;
    for (std::vector<int> &mine : numbers)
        team.emplace_back([&mine] {
            for (uintptr_t i = 0; i < many; ++i) {
                mine.push_back(mpi::request_c2f(request_at(first + i)));
                ASSERT_EQ(mpi::request_f2c(mine.back()), request_at(first + i));
            }
        });
    for (std::thread &thread : team)
        thread.join();
    for (int t = 1; t < threads; ++t)
        EXPECT_EQ(numbers[t], numbers[0]);
}

} // namespace
