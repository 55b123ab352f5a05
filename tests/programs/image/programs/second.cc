// The C++ program of programs.sh: exceptions, iostreams, constructors, its own variables of the
// same names as the C program's.
#include "check.h"

#include <mpi.h>

#include <dlfcn.h>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <unistd.h>

int common_name = 2;
inline int inline_variable = 5; // STB_GNU_UNIQUE
thread_local std::string of_thread = "fresh";
thread_local int *to_global = &common_name;

int common_function() {
    return 22;
}

int (*const table[])() = {common_function};

namespace {

struct Shape {
    virtual ~Shape() = default;

    virtual int area() const { throw std::runtime_error("no area"); }
};

struct Square : Shape {
    int area() const override { return 4; }
};

struct Global {
    std::map<int, std::string> map{{1, "one"}};

    ~Global() { std::cout << "program second, destructor: " << map.size() << std::endl; }
} global;

int depth(int n) {
    return n == 0 ? throw std::out_of_range("deep") : 1 + depth(n - 1);
}

void check_exceptions() {
    bool caught = false;
    try {
        depth(10);
    } catch (const std::logic_error &e) {
        caught = std::string(e.what()) == "deep";
    }
    CHECK(caught);
    caught = false;
    try {
        (void)std::string("ab").at(7); // thrown inside libstdc++
    } catch (const std::out_of_range &) {
        caught = true;
    }
    CHECK(caught);
    Square square;
    Shape *shape = &square;
    CHECK(dynamic_cast<Square *>(shape) && shape->area() == 4 && typeid(*shape) == typeid(Square));
}

void check_threads(int rank) {
    static std::once_flag once;
    int calls = 0;
    std::call_once(once, [&] { ++calls; });
    CHECK(calls == 1);
    of_thread = "rank " + std::to_string(rank) + " and more than fits into the string itself";
    std::string seen;
    int *pointer = nullptr;
    std::thread([&] {
        seen = of_thread;
        pointer = to_global;
    }).join();
    CHECK(seen == "fresh" && pointer == &common_name);
}

void check_dynamic_linking() {
    // MPI_Send is one for all; the C library's exit() is the rank's.
    CHECK(dlsym(RTLD_DEFAULT, "MPI_Send") == reinterpret_cast<void *>(&MPI_Send));
    CHECK(dlsym(RTLD_DEFAULT, "no_such_symbol") == nullptr && dlerror() != nullptr);
}

} // namespace

int main(int argc, char **argv) {
    int rank, size, flag, *number;
    CHECK(common_name == 2 && inline_variable == 5 && table[0]() == 22);
    CHECK(of_thread == "fresh" && to_global == &common_name && global.map.size() == 1);
    CHECK(optind == 1 && std::string(getenv("MARK")) == "environment");
    int option = getopt(argc, argv, "x:");
    CHECK(option == 'x' && std::string(optarg) == "3" && optind == 3);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    CHECK(flag);
    common_name = inline_variable = 1000 + rank;
    global.map[rank + 10] = "x";
    MPI_Barrier(MPI_COMM_WORLD);
    int seen[2] = {}, mine[2] = {rank, 2};
    MPI_Sendrecv(mine, 2, MPI_INT, (rank + 1) % size, 5, seen, 2, MPI_INT, (rank + size - 1) % size,
                 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(seen[0] == (rank + size - 1) % size);
    int sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    check_exceptions();
    check_threads(rank);
    check_dynamic_linking();
    CHECK(common_name == 1000 + rank && inline_variable == 1000 + rank &&
          *to_global == common_name);
    std::ostringstream line;
    line << "rank " << rank << ": program second, number " << *number << ", argc " << argc
         << ", last argument " << argv[argc - 1] << "\n";
    std::cout << line.str() << std::flush;
    MPI_Finalize();
    return global.map.size() == 2 ? 0 : 3;
}
