// Static members and locals of templates: implicit, explicit and partial instances, CRTP, nested,
// in lambdas.
// ranks: 8 64
#include "torture.h"

#include <type_traits>
#include <utility>

template <class T>
struct Registry {
    static int count;
    static T *first;
    int id;

    Registry() : id(count++) {}
};
template <class T>
int Registry<T>::count = 100;
template <class T>
T *Registry<T>::first = nullptr;
template <>
int Registry<char>::count = 500;

template <class T>
struct Registry<T *> {
    static inline int count = 900;
};
template struct Registry<short>;

template <class Derived>
struct Counted {
    static inline int living = 0;

    Counted() { ++living; }

    Counted(const Counted &) { ++living; }

    ~Counted() { --living; }
};

struct Apple : Counted<Apple> {};

struct Pear : Counted<Pear> {};

static Apple apples[3];
static Pear pear;

template <int N>
struct Level {
    static inline int touched = N;

    static int sum() { return touched + Level<N - 1>::sum(); }
};

template <>
struct Level<0> {
    static int sum() { return 0; }
};
template <class... T>
int pack_sum = (0 + ... + int(sizeof(T)));

template <auto *P>
struct Bound {
    static int get() { return *P; }
};

static int bound_target = 8;

template <int... N>
static void touch(std::integer_sequence<int, N...>, int by) {
    ((Level<N + 1>::touched += by), ...);
}

int main(int argc, char **argv) {
    CHECK(Registry<int>::count == 100 && Registry<char>::count == 500 &&
          Registry<int *>::count == 900);
    CHECK(Counted<Apple>::living == 3 && Counted<Pear>::living == 1 && Level<4>::sum() == 10);
    CHECK((pack_sum<char, int> == 5) && Bound<&bound_target>::get() == 8 &&
          !Registry<short>::first);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        Registry<int> one;
        Registry<char> two;
        Apple local = apples[0];
        Registry<int *>::count += rank, pack_sum<char, int> += rank, bound_target += rank;
        touch(std::make_integer_sequence<int, 4>{}, rank);
        let_others_run();
        CHECK(one.id == 99 + i && two.id == 499 + i && Counted<Apple>::living == 4);
        CHECK_EQUAL(Registry<int *>::count, 900 + i * rank);
        CHECK_EQUAL(Level<4>::sum(), 10 + 4 * i * rank);
        CHECK_EQUAL((pack_sum<char, int>), 5 + i * rank);
        CHECK_EQUAL(Bound<&bound_target>::get(), 8 + i * rank);
    }
    CHECK(Counted<Apple>::living == 3 && Registry<short>::count == 100);
    return finish();
}
