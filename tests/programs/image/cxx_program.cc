// A rank of a C++ program is a process: static objects, streams, exceptions and run-time types
// across the border of a library, inline statics, thread-local objects, each rank with its own.
// ranks: 1 2 8
// library: shapes
#include "check.h"
#include "libraries/shapes.h"

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <typeinfo>

namespace {

int destroyed = 0;

struct Counted {
    explicit Counted(int v) : value(v) { ++alive; }

    ~Counted() {
        --alive;
        ++destroyed;
    }

    int value;
    static inline int alive = 0;
};

Counted first(1);
std::map<std::string, int> table{{"one", 1}, {"two", 2}};
std::function<int(int)> doubled = [](int x) {
    return 2 * x;
};
std::once_flag once;
thread_local std::string thread_text = "thread";
thread_local int *thread_pointer = &destroyed;

Counted &singleton() {
    static Counted object(42);
    return object;
}

struct Triangle : Shape {
    double area() const override { return 0.5; }
};

void check_fresh_values() {
    CHECK(Counted::alive == 1 && first.value == 1 && destroyed == 0);
    CHECK(singleton().value == 42 && Counted::alive == 2);
    CHECK(table.size() == 2 && table["two"] == 2 && doubled(4) == 8);
    CHECK(thread_text == "thread" && thread_pointer == &destroyed &&
          library_thread_text() == "fresh");
    CHECK(shape_log.size() == 1 && shape_log[0] == "library loaded");
    CHECK(Shape::made == 0 && instances_of<Square>() == 0 && count_from_the_library() == 0);
    int calls = 0;
    std::call_once(once, [&] { ++calls; });
    CHECK(calls == 1);
}

void check_run_time_types() {
    std::unique_ptr<Shape> square(make_square(3)), triangle(new Triangle);
    CHECK(dynamic_cast<Square *>(square.get()) && !dynamic_cast<Square *>(triangle.get()));
    CHECK(typeid(*square) == typeid(Square) && typeid(*triangle) == typeid(Triangle));
    CHECK(square->area() == 9 && Square(2).area() == 4);
    CHECK(Shape::made == 2 && instances_of<Square>() == 2 && count_from_the_library() == 2);
}

void throw_from_the_program(int rank) {
    throw Failure("from the program", rank);
}

// `rank` travels in the exception; a barrier while it is caught mixes the ranks.
void check_exceptions(int rank) {
    size_t before = shape_log.size();
    for (auto *thrower : {throw_from_the_program, throw_failure}) {
        try {
            call_through(10, thrower, rank);
            CHECK(!"not thrown");
        } catch (const std::runtime_error &error) {
            const auto *failure = dynamic_cast<const Failure *>(&error);
            CHECK(failure && failure->rank == rank);
            MPI_Barrier(MPI_COMM_WORLD);
            try {
                throw;
            } catch (const Failure &again) {
                CHECK(again.rank == rank);
            }
            CHECK(std::current_exception() != nullptr &&
                  !std::strncmp(error.what(), "from the ", 9));
        }
    }
    CHECK(shape_log.size() == before);
    CHECK(std::uncaught_exceptions() == 0);
}

void check_streams(int rank) {
    std::cout << std::hex << std::setfill('*');
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(std::cout.fill() == '*' && (std::cout.flags() & std::ios::hex));
    std::cout << std::dec;
    std::ostringstream text;
    text << rank << ' ' << std::setprecision(3) << 3.14159;
    CHECK(text.str() == std::to_string(rank) + " 3.14");
    std::ofstream nowhere("/dev/null");
    nowhere << text.str() << std::endl;
    CHECK(nowhere.good());
    try {
        std::ifstream missing;
        missing.exceptions(std::ios::failbit);
        missing.open("/nonexistent/file");
        CHECK(!"opened");
    } catch (const std::ios_base::failure &) {
    }
}

void check_threads(int rank) {
    std::string seen;
    std::thread([&] {
        seen = thread_text;
        CHECK(thread_pointer == &destroyed);
        thread_text = "other";
    }).join();
    CHECK(seen == "thread" && thread_text == "rank " + std::to_string(rank));
}

} // namespace

int main(int argc, char **argv) {
    int rank = 0;
    check_fresh_values();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    thread_text = "rank " + std::to_string(rank);
    library_thread_text() = thread_text;
    table["rank"] = rank;
    check_run_time_types();
    check_exceptions(rank);
    check_streams(rank);
    check_threads(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(table["rank"] == rank && library_thread_text() == "rank " + std::to_string(rank));
    std::cout << "rank " << rank << " is fine\n";
    MPI_Finalize();
    return 0;
}
