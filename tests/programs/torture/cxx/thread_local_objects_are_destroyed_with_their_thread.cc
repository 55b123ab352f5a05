// thread_local objects with constructors and destructors: globals, members, inline, in functions;
// in a rank's first thread and in another.
// ranks: 8 64
#include "torture.h"

#include <string>
#include <thread>

static int made, destroyed, my_rank = -1;

struct Object {
    int value;
    std::string text;

    Object() : value(3 + my_rank), text("a thread-local string on the heap") { ++made; }

    ~Object() { destroyed += value; }
};

thread_local Object global;
static thread_local int number = 7;
inline thread_local Object inline_object;

struct Class {
    static thread_local Object member;
    static thread_local int count;
};

thread_local Object Class::member;
thread_local int Class::count = 100;
static thread_local int *pointer = &made;

static Object &in_function() {
    static thread_local Object object;
    return object;
}
template <class T>
thread_local int of_template = int(sizeof(T));

int main(int argc, char **argv) {
    CHECK(number == 7 && Class::count == 100 && pointer == &made && of_template<double> == 8);
    CHECK(made == 0);
    my_rank = start(&argc, &argv);
    int value = global.value;
    for (int i = 1; i < 4; ++i) {
        global.value += my_rank, ++inline_object.value, Class::member.value += 2 * my_rank,
            ++number;
        in_function().value += my_rank, Class::count += my_rank, of_template<double> += my_rank;
        let_others_run();
        CHECK(global.value == value + i * my_rank && number == 7 + i && global.text.size() == 33);
        CHECK(Class::member.value == value + 2 * i * my_rank && inline_object.value == value + i);
        CHECK_EQUAL(in_function().value, 3 + my_rank + i * my_rank);
        CHECK_EQUAL(Class::count, 100 + i * my_rank);
        CHECK(of_template<double> == 8 + i * my_rank && of_template<char> == 1);
    }
    int made_here = made;
    CHECK(made_here > 0 && destroyed == 0 && value == 3 + my_rank);
    std::thread([] {
        CHECK(number == 7 && Class::count == 100 && global.value == 3 + my_rank &&
              *pointer == made);
        CHECK_EQUAL(in_function().value, 3 + my_rank);
        number = Class::count = -1;
    }).join();
    CHECK(made > made_here && destroyed == (made - made_here) * (3 + my_rank) && number == 10);
    return finish();
}
