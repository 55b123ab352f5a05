// Lambdas: with statics, generic, capturing, converted to function pointers, immediately called,
// recursive.
// ranks: 8 64
#include "torture.h"

#include <functional>
#include <utility>
#include <vector>

static int counter = 1;
static auto with_static = [](int x) {
    static int total = 10;
    return total += x;
};
static auto generic = [](auto x) {
    static int calls = 0;
    return ++calls + int(x) * 0;
};
auto stateful = [n = 5](int x) mutable {
    return n += x;
};
static int (*as_pointer)(int) = [](int x) {
    return counter += x;
};
static const int computed = [] {
    return counter * 7;
}();
static std::vector<std::function<int(int)>> list = {with_static, stateful, as_pointer};
static auto by_reference = [&c = counter] {
    return c;
};
constexpr auto constant = [](int x) {
    return 2 * x;
};

template <class F>
struct Fix {
    F function;

    template <class... A>
    int operator()(A... a) const {
        return function(*this, a...);
    }
};

static Fix sum_to{[](auto &self, int n) -> int {
    return n ? n + self(n - 1) : counter;
}};

int main(int argc, char **argv) {
    CHECK(counter == 1 && computed == 7 && with_static(1) == 11 && generic(1) == 1 &&
          generic(1.5) == 1);
    CHECK(constant(4) == 8 && by_reference() == 1 && sum_to(3) == 7);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        int local = 0;
        auto capture = [&local, rank] {
            local += rank + counter;
        };
        as_pointer(rank), stateful(rank), list[1](2 * rank);
        capture();
        let_others_run();
        CHECK_EQUAL(counter, 1 + i * rank);
        CHECK_EQUAL(by_reference(), counter);
        CHECK_EQUAL(local, rank + counter);
        CHECK_EQUAL(with_static(rank), 11 + i * rank + (i - 1) * rank);
        CHECK_EQUAL(list[0](rank), 11 + 2 * i * rank);
        CHECK_EQUAL(stateful(0), 5 + i * rank);
        CHECK_EQUAL(list[1](0), 5 + 2 * i * rank);
        CHECK(generic('c') == i && generic(2L) == i && sum_to(4) == 10 + counter);
    }
    return finish();
}
