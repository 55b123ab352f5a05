// Variables in sections with names of the program's own, also those that the linker gathers from
// several files into a table with __start_ and __stop_ symbols.
// ranks: 8 64
// with: user_sections_other.c
#include "torture.h"

#include <string.h>

struct command {
    const char *name;
    int *calls;
};

static int calls_of_first = 100, calls_of_second = 200;
static struct command first __attribute__((section("commands"), used)) = {"first", &calls_of_first};
static struct command second
    __attribute__((section("commands"), used)) = {"second", &calls_of_second};
extern struct command __start_commands[], __stop_commands[];

int hot __attribute__((section(".data.hot"))) = 5;
int named __attribute__((section("data_section"))) = 6;
static int named_zero[100] __attribute__((section("zero_section")));
int *to_named = &named;

int main(int argc, char **argv) {
    CHECK(__stop_commands - __start_commands == 3 && hot == 5 && named == 6 && named_zero[99] == 0);
    int sum = 0;
    for (struct command *c = __start_commands; c < __stop_commands; ++c)
        sum += *c->calls;
    CHECK(sum == 600 && to_named == &named && first.calls == &calls_of_first);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        for (struct command *c = __start_commands; c < __stop_commands; ++c)
            *c->calls += rank;
        hot += rank, *to_named += rank, named_zero[99] += rank;
        let_others_run();
        CHECK_EQUAL(calls_of_first, 100 + i * rank);
        CHECK_EQUAL(calls_of_second, 200 + i * rank);
        CHECK(hot == 5 + i * rank && named == 6 + i * rank && named_zero[99] == i * rank);
    }
    second.name = rank & 1 ? "odd" : "even";
    let_others_run();
    int found = 0;
    for (struct command *c = __start_commands; c < __stop_commands; ++c)
        found += !strcmp(c->name, rank & 1 ? "odd" : "even");
    CHECK_EQUAL(found, 1);
    return finish();
}
