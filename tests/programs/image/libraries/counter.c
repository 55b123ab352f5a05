#include "counter.h"

int counter_value = 40;
int *counter_pointer = &counter_value;
static int hidden_calls;

static int *hidden_address(void) {
    return &hidden_calls;
}

int *(*counter_functions[2])(void) = {counter_address, hidden_address};

static int *into_the_program = &program_variable;
static int (*function_of_the_program)(int) = program_function;
static __thread int thread_value = 9;
static __thread int *thread_pointer = &counter_value;

static int constructions;

__attribute__((constructor)) static void construct(void) {
    constructions += *into_the_program == 70 ? 1 : 100;
}

int counter_next(void) {
    return ++hidden_calls;
}

int *counter_address(void) {
    return &counter_value;
}

int counter_constructions(void) {
    return constructions;
}

int counter_call_back(int argument) {
    return function_of_the_program(argument) + *into_the_program;
}

int *counter_thread_local(void) {
    return thread_value == 9 ? thread_pointer : 0;
}

int counter_replaceable(void) {
    return -1;
}

int counter_calls_replaceable(void) {
    return counter_replaceable();
}
