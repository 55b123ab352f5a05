// Operands in memory and in registers, addresses of globals as operands, and instructions that name
// a register.
// ranks: 8 64
#include "torture.h"

int x = 3;
static long y = 4;
static int array[8];

static struct {
    int pad[5];
    int field;
} structure = {.field = 6};

static unsigned char flags[4];

int main(int argc, char **argv) {
    CHECK(x == 3 && y == 4 && structure.field == 6);
    int rank = start(&argc, &argv);
    for (int i = 0; i < 4; ++i) {
        long loaded;
        __asm__("addl %1, %0" : "+m"(x) : "r"(rank) : "cc");
        __asm__ volatile("movq %1, %0" : "=r"(loaded) : "m"(y));
        __asm__ volatile("incq %0" : "+m"(y) : : "cc");
        __asm__ volatile("movl %1, %0" : "=m"(array[i]) : "r"(rank * 7));
        int *pointer = &array[7];
        __asm__ volatile("incl (%0)" : : "r"(pointer) : "memory", "cc");
        __asm__ volatile("lock; xaddl %k0, %1"
                         : "+r"(loaded), "+m"(structure.field)
                         :
                         : "memory", "cc");
        __asm__("btsl %1, %0" : "+m"(*(int *)flags) : "r"(i) : "cc");
        int copied;
        __asm__("movl %1, %0" : "=r"(copied) : "rm"(x));
        let_others_run();
        CHECK_EQUAL(x, 3 + rank * (i + 1));
        CHECK_EQUAL(copied, x);
        CHECK_EQUAL(y, 5 + i);
        CHECK_EQUAL(array[i], rank * 7);
        CHECK_EQUAL(array[7], i + 1);
        CHECK_EQUAL(flags[0], (2 << i) - 1);
    }
    CHECK_EQUAL(structure.field, 6 + 4 + 5 + 6 + 7);
    return finish();
}
