// A rank has its own instance of the program's libraries, bound to its own instance of the program:
// COPY relocations, callbacks, pointers in both directions, interposition.
// ranks: 1 2 8
// library: counter
#include "check.h"
#include "libraries/counter.h"

int program_variable = 70;
static int calls;

int program_function(int argument) {
    ++calls;
    return argument + 1;
}

int counter_replaceable(void) {
    return program_variable;
}

int main(int argc, char **argv) {
    int rank = 0;
    CHECK_EQUAL(counter_value, 40);
    CHECK(counter_pointer == &counter_value && counter_address() == &counter_value);
    CHECK(counter_functions[0] == counter_address && *counter_functions[1]() == 0);
    CHECK_EQUAL(counter_next(), 1);
    CHECK_EQUAL(counter_constructions(), 1);
    CHECK_EQUAL(counter_call_back(1), 72);
    CHECK(counter_thread_local() == &counter_value);
    CHECK_EQUAL(counter_calls_replaceable(), 70);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    counter_value += rank;
    program_variable += rank;
    for (int i = 0; i < rank; ++i)
        counter_next();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(*counter_address(), 40 + rank);
    CHECK_EQUAL(*counter_pointer, 40 + rank);
    CHECK_EQUAL(*counter_thread_local(), 40 + rank);
    CHECK_EQUAL(counter_call_back(1), 72 + rank);
    CHECK_EQUAL(counter_calls_replaceable(), 70 + rank);
    CHECK_EQUAL(counter_next(), rank + 2);
    CHECK_EQUAL(*counter_functions[1](), rank + 2);
    CHECK_EQUAL(calls, 2);
    MPI_Finalize();
    return 0;
}
