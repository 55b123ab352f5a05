// ACLMPL section 4.3: "The reduce primitive is extensible in that the user can write a reduction
// operator." One that does not commute shows the order of combination; each algorithm, each root,
// arrays from nothing to many elements for each rank.
// ranks: 1 2 3 7 8 20
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrum/acl.h>

typedef struct {
    uint32_t a, b; // x -> a x + b
} affine;

static affine compose(affine lower, affine higher) {
    affine result = {lower.a * higher.a, higher.a * lower.b + higher.b};
    return result;
}

static void compose_all(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((affine *)result)[i] = compose(((const affine *)lower)[i], ((const affine *)higher)[i]);
}

static affine contribution(int address, size_t i) {
    affine value = {2u * (uint32_t)address + 3u + 4u * (uint32_t)i, (uint32_t)(address * 31 + 7)};
    return value;
}

typedef void reduction(int, void *, size_t, size_t, acl_operator *);

static void try_one(reduction *reduce, int root, size_t count) {
    int self = acl_self_address(), size = acl_partition_size();
    affine *array = malloc((count + 1) * sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = contribution(self, i);
    reduce(root, array, count, sizeof *array, compose_all);
    for (size_t i = 0; self == root && i < count; i++) {
        affine expected = contribution(0, i);
        for (int address = 1; address < size; address++)
            expected = compose(expected, contribution(address, i));
        if (array[i].a != expected.a || array[i].b != expected.b) {
            fprintf(stderr, "root %d: element %zu of %zu is wrong\n", root, i, count);
            abort();
        }
    }
    free(array);
}

int main(void) {
    acl_begin();
    static const size_t counts[] = {0, 1, 2, 33, 1000, 20000};
    try_one(acl_reduce, acl_partition_size() - 1, 140000); /* more than a MiB: by binary swap */
    for (int root = 0; root < acl_partition_size(); root++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            try_one(acl_reduce, root, counts[c]);
            try_one(acl_reduce_by_tree, root, counts[c]);
            try_one(acl_reduce_by_binary_swap, root, counts[c]);
        }
    acl_end();
    return 0;
}
