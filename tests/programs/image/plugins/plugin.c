#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>

int dependency_next(void);
extern int *dependency_pointer;

static struct plugin_state state = {0, 40, &state.value, {0}};
static int (*const functions[])(void) = {plugin_next, plugin_of_program};
static __thread int *thread_pointer = &state.value;
static __thread int thread_counter = 7;
static __thread int thread_zero;
int *plugin_exported = &state.value;

__attribute__((constructor)) static void construct(void) {
    ++state.constructions;
    ++*dependency_pointer; // the dependency has been constructed before
}

__attribute__((destructor)) static void destruct(void) {
    program_hears_of_end(state.value);
}

struct plugin_state *plugin_state(void) {
    return &state;
}

int plugin_next(void) {
    static int calls;
    return ++calls;
}

int plugin_of_program(void) {
    return program_variable;
}

int **plugin_thread_local(void) {
    return &thread_pointer;
}

int *plugin_thread_counter(void) {
    return &thread_counter;
}

int *plugin_thread_zero(void) {
    return &thread_zero;
}

static int indirect(void) {
    return functions[1]() * 0 + state.value + 1;
}

static int (*resolve(void))(void) {
    return indirect;
}

int plugin_indirect(void) __attribute__((ifunc("resolve")));

int plugin_dependency(void) {
    return dependency_next();
}
