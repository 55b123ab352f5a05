// std::set_terminate in each rank, exceptions in flight while others throw, noexcept,
// exception_ptr.
// ranks: 8 64
#include "torture.h"

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

static int my_rank = -1, in_flight_seen, handled;

static void odd_handler() {
    std::exit(my_rank == 1 ? 0 : 9);
}

static void even_handler() {
    std::exit(8);
}

static std::exception_ptr kept;

[[noreturn]] static void throw_one() {
    throw 1;
}

struct Watch {
    ~Watch() {
        in_flight_seen += std::uncaught_exceptions();
        let_others_run(); // all ranks are unwinding
        try {
            throw my_rank * 10;
        } catch (int value) {
            handled += value == my_rank * 10;
        }
    }
};

static void throw_text(const std::string &text) {
    Watch watch;
    throw std::out_of_range(text);
}

int main(int argc, char **argv) {
    CHECK(in_flight_seen == 0 && handled == 0 && !kept);
    my_rank = start(&argc, &argv);
    std::set_terminate(my_rank & 1 ? odd_handler : even_handler);
    let_others_run();
    CHECK(std::get_terminate() == (my_rank & 1 ? odd_handler : even_handler));
    try {
        throw_text("rank " + std::to_string(my_rank));
    } catch (const std::out_of_range &error) {
        let_others_run();
        CHECK(error.what() == "rank " + std::to_string(my_rank));
        kept = std::current_exception();
    }
    CHECK(in_flight_seen == 1 && handled == 1 && std::uncaught_exceptions() == 0);
    let_others_run();
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception &error) {
        CHECK(error.what() == "rank " + std::to_string(my_rank));
    }
    MPI_Finalize();
    if (my_rank == 1)
        []() noexcept {
            throw_one();
        }(); // its own handler ends it with 0
    return 0;
}
