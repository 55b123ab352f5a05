// Static initialisation: constants first, then in the order of the definitions; priorities; two
// files.
// ranks: 8 64
// with: order_other.cc
#include "torture.h"

#include <algorithm>
#include <string>
#include <vector>

std::vector<std::string> &initialisation_log();
extern int of_other_file, &reference_to_other;

namespace {
int order[8], constructed, living;

struct Object {
    int value;
    int *self;

    explicit Object(int x) : value(x), self(&value) {
        order[constructed++] = x;
        ++living;
        initialisation_log().push_back("here");
    }

    ~Object() {
        if (self != &value || --living < 0)
            std::abort();
    }
};
} // namespace

Object second(2);
static Object third(3);
Object first __attribute__((init_priority(200))){1};
const Object constant(4);
static int computed = second.value + 10;
int &reference = computed;
Object &to_third = third;
static const int dynamic_constant = computed * 2;
int later_value();
static int zero_before = later_value();
extern int later;

int later_value() {
    return later;
}

int later = constructed;

int main(int argc, char **argv) {
    CHECK(constructed == 4 && order[0] == 1 && order[1] == 2 && order[2] == 3 && order[3] == 4);
    CHECK(first.self == &first.value && reference == 12 && dynamic_constant == 24 &&
          *constant.self == 4);
    CHECK(zero_before == 0 && later == 4 && living == 4);
    const auto &log = initialisation_log();
    CHECK(log.size() == 5 && std::count(log.begin(), log.end(), "other") == 1);
    CHECK(&reference_to_other == &of_other_file && of_other_file == 5);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        first.value += rank, *to_third.self += 1, reference += rank, reference_to_other += rank;
        let_others_run();
        CHECK_EQUAL(*first.self, 1 + i * rank);
        CHECK_EQUAL(third.value, 3 + i);
        CHECK_EQUAL(computed, 12 + i * rank);
        CHECK_EQUAL(of_other_file, 5 + i * rank);
        CHECK_EQUAL(initialisation_log().size(), 5);
    }
    return finish();
}
