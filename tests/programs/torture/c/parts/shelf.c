#include "shelf.h"

int shelf_count;
int shelf_list[16] = {1};
struct shelf shelves[2] = {{0, shelf_list, "a"}, {3, &shelf_list[3], "b"}};
int *shelf_cursor = shelf_list;
int shelf_constructed;
static int private_number = 5;
static int *const to_private = &private_number;
int protected_number __attribute__((visibility("protected"))) = 8;

static int identity(int item) {
    return item;
}

int (*shelf_hook)(int) = identity;

__attribute__((constructor)) static void construct(void) {
    shelf_constructed += *to_private;
}

int shelf_add(int item) {
    *shelf_cursor++ = shelf_hook(item);
    shelves[0].newest = shelf_cursor - 1;
    ++*to_private, ++protected_number;
    return ++shelf_count;
}

int shelf_sum(void) {
    int sum = 0;
    for (int *p = shelf_list; p < shelf_cursor; ++p)
        sum += *p;
    return sum * 10000 + private_number * 100 + protected_number;
}

int *shelf_address_of_count(void) {
    return &shelf_count;
}

int shelf_program_number(void) {
    return program_number;
}
