// std::function, std::bind, pointers to members and to static functions in tables and maps.
// ranks: 8 64
#include "torture.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

static int accumulator = 100;

struct Machine {
    int state = 1;

    int add(int x) { return state += x; }

    int multiply(int x) { return state *= x; }

    virtual int run(int x) { return add(x); }

    static int reset(int x) { return accumulator = x; }
};

struct Faster : Machine {
    int run(int x) override { return add(2 * x); }
};

static Machine machine;
static Faster faster;

static int plain(int x) {
    return accumulator += x;
}

static std::map<std::string, std::function<int(int)>> commands = {
    {"plain", plain},
    {"member",
     [](int x) {
         return machine.add(x);
     }},
    {"bound", std::bind(&Machine::add, &faster, std::placeholders::_1)},
    {"static", Machine::reset},
    {"reference", std::ref(plain)},
};
static int (Machine::*methods[])(int) = {&Machine::add, &Machine::multiply, &Machine::run};
static int (*const functions[])(int) = {plain, Machine::reset};
static std::vector<std::function<void()>> deferred;
static const bool added = (deferred.emplace_back([] { accumulator += 1000; }), true);
static std::function<int(int)> empty;
static std::hash<std::string> hasher;

int main(int argc, char **argv) {
    CHECK(commands.size() == 5 && commands["plain"](1) == 101 && (machine.*methods[0])(1) == 2 &&
          added && !empty);
    CHECK((((Machine &)faster).*methods[2])(1) == 3 && deferred.size() == 1);
    int rank = start(&argc, &argv);
    for (auto &run : deferred)
        run();
    commands["own"] = [rank](int x) {
        return x * rank;
    };
    empty = commands["own"];
    methods[0] = rank & 1 ? &Machine::multiply : &Machine::add;
    let_others_run();
    CHECK_EQUAL(accumulator, 1101);
    CHECK_EQUAL(commands["reference"](rank), 1101 + rank);
    CHECK_EQUAL(commands["member"](rank), 2 + rank);
    CHECK_EQUAL(commands["bound"](rank), 3 + rank);
    CHECK_EQUAL(empty(7), 7 * rank);
    let_others_run();
    CHECK_EQUAL((machine.*methods[0])(3), rank & 1 ? (2 + rank) * 3 : 5 + rank);
    CHECK_EQUAL((faster.*methods[2])(rank), 3 + 3 * rank);
    CHECK(functions[1](rank) == rank && accumulator == rank && commands.size() == 6);
    CHECK(hasher("x") == std::hash<std::string>()("x"));
    return finish();
}
