// The program defines operator new and delete: also what the C++ library allocates for it comes
// from the rank's own.
// ranks: 1 2 8
#include "check.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static std::size_t used, allocations, deletions, foreign;
static char *pool;
static constexpr std::size_t pool_bytes = 16 << 20;

void *operator new(std::size_t size) {
    if (!pool)
        pool = static_cast<char *>(std::malloc(pool_bytes));
    std::size_t at = __atomic_fetch_add(&used, (size + 15) & ~std::size_t{15}, __ATOMIC_RELAXED);
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    if (at + size > pool_bytes)
        throw std::bad_alloc();
    return pool + at;
}

void operator delete(void *p) noexcept {
    if (!p)
        return;
    ++deletions;
    foreign += static_cast<char *>(p) < pool || static_cast<char *>(p) >= pool + pool_bytes;
}

void operator delete(void *p, std::size_t) noexcept {
    operator delete(p);
}

static std::string before_main = "a text that is longer than what fits into the object";

int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::size_t first = allocations;
    CHECK(first >= 1);
    std::vector<std::unique_ptr<int>> numbers;
    for (int i = 0; i < 10 + rank; ++i)
        numbers.push_back(std::make_unique<int>(i));
    MPI_Barrier(MPI_COMM_WORLD);
    std::map<std::string, std::string> table;
    for (int i = 0; i < 20; ++i) {
        std::ostringstream out; // allocates inside libstdc++
        out << before_main << rank << " " << i;
        table[out.str()] = out.str();
    }
    CHECK(table.rbegin()->second.size() > before_main.size());
    std::thread([&] { numbers.clear(); }).join();
    try {
        throw std::string(before_main);
    } catch (const std::string &s) {
        CHECK(s == before_main);
    }
    CHECK(allocations >= first + 50 && deletions >= 10);
    CHECK_EQUAL(foreign, 0);
    MPI_Finalize();
    return 0;
}
