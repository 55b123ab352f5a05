// Function statics with guards: initialised once in each rank, also from several threads, and again
// after an initialisation that threw.
// ranks: 8 64
#include "torture.h"

#include <stdexcept>
#include <string>
#include <thread>

static int made, attempts, my_rank = -1;

struct Counted {
    std::string text;
    int value;

    explicit Counted(int v) : text("counted number " + std::to_string(v)), value(v) { ++made; }
};

static Counted &instance() {
    static Counted counted(my_rank);
    return counted;
}

static int fails_twice() {
    static int value = [] {
        if (++attempts < 3)
            throw std::runtime_error("attempt " + std::to_string(attempts));
        return 10 + my_rank;
    }();
    return value;
}

template <int N>
static int &numbered() {
    static int number = N * 100 + my_rank;
    return number;
}

static Counted &waits_inside() {
    // Other ranks reach their own guard of the same function while this one is being held.
    static Counted counted((let_others_run(), my_rank + 1000));
    return counted;
}

int main(int argc, char **argv) {
    CHECK(made == 0 && attempts == 0 && my_rank == -1);
    my_rank = start(&argc, &argv);
    let_others_run();
    Counted *seen[3] = {};
    std::thread threads[3];
    for (int i = 0; i < 3; ++i)
        threads[i] = std::thread([&, i] { seen[i] = &instance(); });
    for (auto &thread : threads)
        thread.join();
    CHECK(seen[0] == &instance() && seen[1] == seen[0] && seen[2] == seen[0] && made == 1);
    CHECK(instance().value == my_rank &&
          instance().text == "counted number " + std::to_string(my_rank));
    for (int i = 1; i < 3; ++i) {
        std::string what;
        try {
            fails_twice();
        } catch (const std::runtime_error &error) {
            what = error.what();
        }
        CHECK(what == "attempt " + std::to_string(i));
    }
    CHECK_EQUAL(fails_twice(), 10 + my_rank);
    CHECK_EQUAL(attempts, 3);
    numbered<1>() += 1;
    CHECK_EQUAL(waits_inside().value, my_rank + 1000);
    let_others_run();
    CHECK(numbered<1>() == 101 + my_rank && numbered<2>() == 200 + my_rank && made == 2);
    return finish();
}
