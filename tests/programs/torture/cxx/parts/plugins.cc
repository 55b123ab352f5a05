#include "factory.h"

namespace {
int circles;

struct Circle : Shape {
    int radius;

    explicit Circle(int r) : radius(r) { ++circles; }

    int area() const override { return 3 * radius * radius; }
};

struct Nothing : Shape {
    int area() const override { return 0; }
};

struct AddAll {
    AddAll() {
        Factory::get().add("circle", [](int r) -> Shape * { return new Circle(r); });
        Factory::get().add("nothing", [](int) -> Shape * { return new Nothing; });
    }
} add_all;
} // namespace

int circles_made() {
    return circles;
}
