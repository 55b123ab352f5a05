// C11 atomics and the compilers' older ones, of every size, on globals.
// ranks: 8 64
#include "torture.h"

#include <stdatomic.h>
#include <stdint.h>

static atomic_int counter = 5;
atomic_ulong wide = 1;
_Atomic char byte = 3;
_Atomic uint16_t half;
static atomic_flag lock = ATOMIC_FLAG_INIT;
_Atomic(int *) pointer;
static int target = 9;

static _Atomic struct pair {
    int a, b;
} pair;

_Atomic double real = 1.5;
atomic_bool flag;
int plain = 100;
static long exchanged = -1;
atomic_int array[4] = {1, 2, 3, 4};
atomic_int *in_array = &array[2];

int main(int argc, char **argv) {
    CHECK(counter == 5 && wide == 1 && byte == 3 && half == 0 && !pointer && real == 1.5 && !flag);
    struct pair p = atomic_load(&pair);
    CHECK(p.a == 0 && p.b == 0);
    CHECK(!atomic_flag_test_and_set(&lock) && atomic_flag_test_and_set(&lock));
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        atomic_fetch_add(&counter, rank);
        wide += (unsigned)rank;
        ++byte;
        half |= (uint16_t)(1 << i);
        real = real + rank;
        atomic_store_explicit(&pointer, &target, memory_order_release);
        p = atomic_load(&pair);
        ++p.a, p.b = rank;
        atomic_store(&pair, p);
        __sync_fetch_and_add(&plain, rank);
        __atomic_exchange_n(&exchanged, rank, __ATOMIC_SEQ_CST);
        atomic_fetch_xor(in_array, rank);
        *atomic_load(&pointer) += rank;
        let_others_run();
        CHECK_EQUAL(counter, 5 + i * rank);
        CHECK_EQUAL(wide, 1 + (unsigned)(i * rank));
        CHECK(byte == 3 + i && half == (2 << i) - 2 && real == 1.5 + i * rank);
        p = atomic_load(&pair);
        CHECK(p.a == i && p.b == rank);
        CHECK_EQUAL(plain, 100 + i * rank);
        CHECK_EQUAL(exchanged, rank);
        CHECK_EQUAL(array[2], i & 1 ? 3 ^ rank : 3);
        CHECK_EQUAL(target, 9 + i * rank);
    }
    int expected = 5 + 3 * rank;
    CHECK(atomic_compare_exchange_strong(&counter, &expected, -rank));
    CHECK(atomic_compare_exchange_strong(&flag, &(_Bool){0}, 1));
    CHECK(__sync_bool_compare_and_swap(&plain, 100 + 3 * rank, 7));
    atomic_flag_clear(&lock);
    let_others_run();
    CHECK(counter == -rank && flag && plain == 7 && !atomic_flag_test_and_set(&lock));
    return finish();
}
