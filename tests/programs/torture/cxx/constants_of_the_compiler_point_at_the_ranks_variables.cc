// constexpr, constinit, mutable members of constants, constant tables of addresses, static
// constexpr members.
// ranks: 8 64
#include "torture.h"

#include <array>
#include <cstring>
#include <string_view>

int target = 3;
constinit int constinit_number = 4;

struct Cached {
    mutable int hits;
    int *pointer;

    constexpr Cached(int h, int *p) : hits(h), pointer(p) {}

    int hit() const { return ++hits; }
};

extern const Cached cached;
const Cached cached(5, &target);
constexpr int *constant_pointer = &target;
static constexpr std::array<int *, 2> pointers = {&target, &constinit_number};
constexpr std::string_view view = "view";
static const char *const words[] = {"a", "b"};

struct Class {
    static constexpr int *pointer = &constinit_number;
    static constexpr const Cached *const chain = &cached;
};

template <class T>
struct Template {
    static inline T *const pointer = &target;
};

constexpr int square(int x) {
    return x * x;
}

consteval int cube(int x) {
    return x * x * x;
}

constinit std::array<int, 3> table = {square(2), square(3), cube(2)};
constexpr const int &reference = target;
static constinit thread_local int thread_number = square(5);
constexpr auto function = +[](int x) {
    return x + target;
};

int main(int argc, char **argv) {
    CHECK(*constant_pointer == 3 && *pointers[1] == 4 && *Class::pointer == 4 &&
          Class::chain->hits == 5);
    CHECK(table[2] == 8 && reference == 3 && thread_number == 25 && function(1) == 4 &&
          view == "view");
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        *cached.pointer += rank, *Class::pointer += 1, table[1] += rank, thread_number += rank;
        CHECK_EQUAL(cached.hit(), 5 + i);
        let_others_run();
        CHECK(target == 3 + i * rank && *constant_pointer == target && reference == target);
        CHECK(*pointers[0] == target && *Template<int>::pointer == target &&
              *Class::chain->pointer == target);
        CHECK(constinit_number == 4 + i && *pointers[1] == 4 + i && Class::chain->hits == 5 + i);
        CHECK(table[1] == 9 + i * rank && thread_number == 25 + i * rank &&
              function(rank) == target + rank);
    }
    CHECK(!std::strcmp(words[1], "b"));
    return finish();
}
