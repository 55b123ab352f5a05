// ranks: 5
// expect: ^destroyed 0: thread_local before static$
// expect: ^destroyed 1: thread_local before static$
// expect: ^destroyed 2: thread_local before static$
// expect: ^destroyed 3: thread_local before static$
// expect: ^destroyed 4: thread_local before static$
// expect-not: ^destroyed [0-4] before static
// C++ [basic.start.term]: thread_local objects of the initial thread are destroyed before statics.
#include "check.h"

#include <cstdlib>
#include <string>

static int rank;

struct Object {
    explicit Object(bool is_static) : is_static(is_static) {}

    ~Object() {
        text() += is_static ? " before static" : ": thread_local";
        if (is_static)
            std::printf("destroyed %d%s\n", rank, text().c_str());
    }

    static std::string &text() {
        static std::string t;
        return t;
    }

    bool is_static;
};

static std::string &made_first = Object::text();
static Object a_static(true);
thread_local Object a_thread_local(false);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(!a_thread_local.is_static && made_first.empty());
    MPI_Finalize();
    return 0;
}
