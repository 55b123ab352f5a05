// variant, any, optional, tuple, pair and structured bindings of globals.
// ranks: 8 64
#include "torture.h"

#include <any>
#include <optional>
#include <string>
#include <tuple>
#include <typeinfo>
#include <variant>
#include <vector>

static std::variant<int, double, std::string> either = "text that needs memory of its own";
static std::any anything = 5;
static std::optional<std::vector<int>> maybe;
static std::tuple<int, std::string, double *> triple{1, "tuple", nullptr};
static double real = 2.5;
static auto &[first, second, third] = triple;

struct Pair {
    int a, b;
};

static auto [left, right] = Pair{3, 4};
static std::vector<std::variant<int, std::string>> list = {1, "two", 3};
static std::optional<int *> pointer = &left;

struct Describe {
    std::string operator()(int i) const { return "int " + std::to_string(i); }

    std::string operator()(double d) const { return "double " + std::to_string(int(d)); }

    std::string operator()(const std::string &s) const { return "string " + s; }
};

int main(int argc, char **argv) {
    CHECK(either.index() == 2 && std::any_cast<int>(anything) == 5 && !maybe &&
          std::get<1>(triple) == "tuple");
    CHECK(left == 3 && right == 4 && first == 1 && &second == &std::get<1>(triple) &&
          **pointer == 3);
    CHECK(std::get<std::string>(list[1]) == "two" && std::visit(Describe(), list[2]) == "int 3");
    int rank = start(&argc, &argv);
    switch (rank % 3) {
    case 0:
        either = rank;
        break;
    case 1:
        either = rank + .5;
        break;
    default:
        either = std::to_string(rank);
    }
    rank & 1 ? anything = std::string("rank") + std::to_string(rank) : anything = rank;
    maybe.emplace(size_t(rank), rank);
    third = &real, real += rank, first += rank, left += rank, **pointer += 1;
    list[0] = std::to_string(rank);
    let_others_run();
    const char *kinds[] = {"int ", "double ", "string "};
    CHECK(std::visit(Describe(), either) == kinds[rank % 3] + std::to_string(rank));
    CHECK(anything.type() == (rank & 1 ? typeid(std::string) : typeid(int)));
    CHECK(maybe->size() == size_t(rank) && *std::get<2>(triple) == 2.5 + rank &&
          std::get<0>(triple) == 1 + rank);
    CHECK(left == 4 + rank && std::get<std::string>(list[0]) == std::to_string(rank));
    bool wrong = false;
    try {
        (void)std::get<1>(list[0]).at(100), (void)std::get<0>(list[0]);
    } catch (const std::exception &) {
        wrong = true;
    }
    CHECK(wrong);
    return finish();
}
