// Pointers to globals, into the middle and past the end of arrays, into structures; tables of
// pointers and functions; an address in an integer; strings.
// ranks: 8 64
#include "torture.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int x = 5;
int *pointer = &x, **pointer_to_pointer = &pointer;
int array[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
int *middle = &array[5], *end = array + 10, *last = &array[9], *third_from_end = array + 10 - 3;
int *const constant_pointer = &x;
static int *const constant_table[] = {&x, array + 3, 0};
char text[] = "hello";
char *in_text = text + 1;
const char *literal = "literal", *const words[] = {"zero", "one", text};

struct option {
    const char *name;
    int *value;
    double *real;
    int (*function)(int);
    struct option *next;
};

static int add(int i) {
    return i + x;
}

static int subtract(int i) {
    return i - x;
}

static double real = 2.5;
static struct option second = {"second", array + 2, &real, subtract, 0};
static struct option options[3] = {
    {"x", &x, &real, add, &second}, {"middle", array + 5, 0, subtract, &options[0]}, {0}};

struct outer {
    char c;

    struct {
        int a[4];
        short s;
    } inner;
} outer = {'c', {{1, 2, 3, 4}, 5}};

short *in_structure = &outer.inner.s;
int *in_inner_array = &outer.inner.a[2];

union {
    long number;
    int *pointer;
} either = {.pointer = &array[7]};

uintptr_t address_as_integer = (uintptr_t)&array[4];

struct packed {
    char c;
    int *p;
} __attribute__((packed));
struct packed unaligned[2] = {{'a', &x}, {'b', array + 1}};
void *self = &self;

static void check_fresh(void) {
    CHECK(pointer == &x && *pointer == 5 && pointer_to_pointer == &pointer &&
          constant_pointer == &x);
    CHECK(middle == array + 5 && end - array == 10 && last + 1 == end &&
          third_from_end == array + 7);
    CHECK(constant_table[0] == &x && *constant_table[1] == 3 && !constant_table[2]);
    CHECK(in_text == text + 1 && *in_text == 'e' && words[2] == text && !strcmp(words[1], "one"));
    CHECK(options[0].value == &x && options[0].next == &second && options[1].next == options);
    CHECK(*second.value == 2 && options[0].real == &real && options[2].name == 0);
    CHECK(in_structure == &outer.inner.s && *in_structure == 5 && *in_inner_array == 3);
    CHECK(either.pointer == array + 7 && address_as_integer == (uintptr_t)&array[4]);
    CHECK(unaligned[0].p == &x && unaligned[1].p == array + 1 && self == (void *)&self);
}

int main(int argc, char **argv) {
    check_fresh();
    int rank = start(&argc, &argv);
    for (int i = 0; i < 4; ++i) {
        *pointer += rank, *options[0].real += 1, *constant_table[1] += rank,
            in_text[0] = (char)('0' + rank);
        **pointer_to_pointer += 1, *unaligned[1].p = 100 + rank, *in_structure = (short)rank;
        *in_inner_array += rank, last[0] = rank;
        let_others_run();
        CHECK_EQUAL(x, 5 + (rank + 1) * (i + 1));
        CHECK(real == 3.5 + i && text[1] == (char)('0' + rank));
        CHECK_EQUAL(array[3], 3 + rank * (i + 1));
        CHECK_EQUAL(array[1], 100 + rank);
        CHECK_EQUAL(outer.inner.s, rank);
        CHECK_EQUAL(outer.inner.a[2], 3 + rank * (i + 1));
        CHECK_EQUAL(end[-1], rank);
        CHECK(options[0].function(1) == 1 + x && second.function(10) == 10 - x);
        pointer = &array[i];
        let_others_run();
        CHECK(*pointer_to_pointer == &array[i] && constant_pointer == &x);
        pointer = &x;
    }
    return finish();
}
