// Exceptions thrown in a library and caught in the program, and the other way; over a switch of
// ranks; nested; rethrown; with what the handlers changed in globals.
// ranks: 8 64
// flags: -Wno-infinite-recursion
// library: animals.cc
#include "parts/animals.h"
#include "torture.h"

#include <exception>
#include <new>
#include <typeinfo>

static int caught, unwound, last_code = -1;
static std::exception_ptr kept;

struct Cleaner {
    int amount;

    ~Cleaner() { unwound += amount; }
};

static void throw_int(int value) {
    Cleaner cleaner{1};
    let_others_run();
    throw value;
}

static void refuse_deeply(int depth) {
    Cleaner cleaner{1};
    if (depth == 0)
        refuse(last_code);
    refuse_deeply(depth - 1);
}

static void nest(int code) {
    try {
        refuse(code);
    } catch (...) {
        std::throw_with_nested(std::logic_error("outer"));
    }
}

int main(int argc, char **argv) {
    CHECK(caught == 0 && unwound == 0 && thrown == 0 && library_caught == 0 && !kept);
    int rank = start(&argc, &argv);
    last_code = 100 + rank;
    try {
        refuse_deeply(5 + rank % 3);
    } catch (Refused &refused) {
        let_others_run();
        CHECK(refused.code == last_code &&
              refused.what() == "refused with code " + std::to_string(last_code));
        kept = std::current_exception();
        ++caught;
    }
    CHECK_EQUAL(unwound, 6 + rank % 3);
    CHECK_EQUAL(call_and_translate([](int code) { refuse(code); }, rank), rank);
    try {
        call_and_translate(throw_int, 7 * rank);
    } catch (int value) {
        let_others_run();
        CHECK_EQUAL(value, 7 * rank);
        ++caught;
    }
    try {
        nest(rank);
    } catch (const std::logic_error &outer) {
        try {
            std::rethrow_if_nested(outer);
        } catch (const Refused &refused) {
            caught += refused.code == rank;
        }
    }
    let_others_run();
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception &error) {
        CHECK(typeid(error) == typeid(Refused));
        ++caught;
    }
    CHECK(caught == 4 && thrown == 3 && library_caught == 2 && std::uncaught_exceptions() == 0);
    return finish();
}
