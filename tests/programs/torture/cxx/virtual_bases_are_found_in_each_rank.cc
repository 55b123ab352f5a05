// Virtual inheritance: construction tables, offsets of bases, covariant returns, pointers to
// virtual members.
// ranks: 8 64
#include "torture.h"

#include <string>
#include <typeinfo>

static int bases_made;

struct Base {
    int number = 1;

    Base() { ++bases_made; }

    virtual ~Base() = default;

    virtual int get() const { return number; }

    virtual Base *self() { return this; }
};

struct Left : virtual Base {
    static int lefts;
    int left = 10;

    Left() { lefts += get(); }

    int get() const override { return left + number; }

    Left *self() override { return this; }
};

int Left::lefts = 0;

struct Right : virtual Base {
    int right = 100;

    virtual int other() const { return right + number; }
};

struct Bottom : Left, Right {
    int bottom = 1000;

    int get() const override { return bottom + Left::get() + right; }

    Bottom *self() override { return this; }
};

Bottom bottom;
static Base *as_base = &bottom;
static Right *as_right = &bottom;
static Left &as_left = bottom;
int (Base::*getter)() const = &Base::get;
int (Right::*other)() const = &Right::other;
static int Bottom::*datum = &Bottom::right;
static const std::type_info *type = &typeid(Bottom);

int main(int argc, char **argv) {
    CHECK(bases_made == 1 && Left::lefts == 11 && as_base->get() == 1111 &&
          (as_right->*other)() == 101);
    CHECK(as_base->self() == &bottom && dynamic_cast<Left *>(as_right) == &as_left &&
          *type == typeid(*as_base));
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        as_base->number += rank, as_left.left += rank, bottom.*datum += rank;
        let_others_run();
        CHECK_EQUAL((as_base->*getter)(), 1111 + 3 * i * rank);
        CHECK_EQUAL((as_right->*other)(), 101 + 2 * i * rank);
        CHECK(dynamic_cast<Bottom *>(as_base) == &bottom &&
              dynamic_cast<void *>(as_right) == (void *)&bottom);
        Bottom local = bottom;
        local.self()->bottom = rank;
        CHECK_EQUAL(local.get(), bottom.get() - 1000 + rank);
        CHECK_EQUAL(Left::lefts, 11 + (bases_made - 1) * 11);
    }
    CHECK_EQUAL(bases_made, 1);
    Bottom another;
    let_others_run();
    CHECK(bases_made == 2 && Left::lefts == 22);
    return finish();
}
