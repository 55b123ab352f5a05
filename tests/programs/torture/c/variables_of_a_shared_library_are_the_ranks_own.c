// The program and a library use each other's variables, functions and hooks.
// ranks: 8 64
// library: shelf.c
#include "parts/shelf.h"
#include "torture.h"

#include <string.h>

int program_number = 7;
int *to_count = &shelf_count;
static int *to_fifth = &shelf_list[5];
static struct shelf *to_shelf = &shelves[1];
static int (*const adders[])(int) = {shelf_add, 0};
static int factor = 2;

static int multiply(int item) {
    return item * factor;
}

int main(int argc, char **argv) {
    CHECK(shelf_count == 0 && shelf_list[0] == 1 && shelf_cursor == shelf_list);
    CHECK(to_count == &shelf_count && shelf_address_of_count() == &shelf_count);
    CHECK(*to_fifth == 0 && to_shelf->items == 3 && to_shelf->newest == shelf_list + 3);
    CHECK(shelf_constructed == 5 && shelf_program_number() == 7 && !strcmp(to_shelf->label, "b"));
    int rank = start(&argc, &argv);
    factor += rank;
    shelf_hook = multiply;
    program_number = 100 + rank;
    for (int i = 1; i < 6; ++i) {
        CHECK_EQUAL(adders[0](i), i);
        let_others_run();
        CHECK_EQUAL(*to_count, i);
        CHECK_EQUAL(*shelves[0].newest, i * (2 + rank));
        CHECK_EQUAL(shelf_sum(), i * (i + 1) / 2 * (2 + rank) * 10000 + (5 + i) * 100 + 8 + i);
    }
    shelf_count = rank;
    *to_fifth = -rank;
    let_others_run();
    CHECK_EQUAL(*shelf_address_of_count(), rank);
    CHECK_EQUAL(shelf_list[5], -rank);
    CHECK_EQUAL(shelf_program_number(), 100 + rank);
    return finish();
}
