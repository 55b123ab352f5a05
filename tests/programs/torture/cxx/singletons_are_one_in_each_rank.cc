// Singletons and factories that register themselves before main.
// ranks: 8 64
// with: plugins.cc
#include "parts/factory.h"
#include "torture.h"

#include <memory>

namespace {
struct Square : Shape {
    static inline int made = 0;
    int side;

    explicit Square(int s) : side(s) { ++made; }

    int area() const override { return side * side; }
};

const bool registered =
    Factory::get().add("square", [](int s) -> Shape * { return new Square(s); });

struct Configuration {
    int value;
    Configuration *previous;

    static Configuration &get() {
        static Configuration configuration{Factory::get().size() * 10, nullptr};
        return configuration;
    }
};

std::unique_ptr<Shape> kept(Factory::get().make("square", 3));
} // namespace

int main(int argc, char **argv) {
    Factory &factory = Factory::get();
    CHECK(registered && factory.size() == 3 && kept->area() == 9 && Square::made == 1 &&
          circles_made() == 0);
    CHECK_EQUAL(Configuration::get().value, 30);
    int rank = start(&argc, &argv);
    Configuration::get().value += rank;
    factory.add("rank" + std::to_string(rank), [](int s) -> Shape * { return new Square(s + 1); });
    kept.reset(factory.make(rank & 1 ? "circle" : "square", rank));
    let_others_run();
    CHECK(factory.size() == 4 && !factory.make("rank" + std::to_string(rank + 1), 1));
    CHECK_EQUAL(kept->area(), rank & 1 ? 3 * rank * rank : rank * rank);
    CHECK_EQUAL(Configuration::get().value, 30 + rank);
    CHECK(Square::made == 1 + !(rank & 1) && circles_made() == (rank & 1) &&
          factory.made == 2 + 0 * rank);
    std::unique_ptr<Shape> own(factory.make("rank" + std::to_string(rank), 4));
    let_others_run();
    CHECK(own->area() == 25 && factory.made == 3);
    return finish();
}
