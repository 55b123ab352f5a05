// _Complex, long double, 128-bit integers, vectors, and data aligned more than a pointer.
// ranks: 8 64
#include "torture.h"

#include <complex.h>
#include <stdalign.h>
#include <stdint.h>

typedef float four_floats __attribute__((vector_size(16)));
typedef int eight_ints __attribute__((vector_size(32)));

static double complex z = 1 + 2 * I;
float complex zf[3] = {1, I, 2 - I};
long double precise = 1.25L;
long double complex zl = 3 * I;
__int128 huge = ((__int128)1 << 100) + 7;
unsigned __int128 huge_zero;
four_floats v = {1, 2, 3, 4};
static eight_ints w;
alignas(64) static char line[64] = "line";
alignas(4096) static int page[1024];
alignas(128) double pair[2] = {3, 4};

struct aligned {
    char c;
    alignas(32) int i;
} aligned[3] = {{'a', 1}, {'b', 2}, {'c', 3}};

int *to_page = &page[1023];
long double *to_precise = &precise;

static void check_fresh(void) {
    CHECK(creal(z) == 1 && cimag(z) == 2 && cimagf(zf[2]) == -1 && cimagl(zl) == 3);
    CHECK(precise == 1.25L && *to_precise == 1.25L && (int64_t)(huge >> 100) == 1 &&
          huge_zero == 0);
    CHECK(v[3] == 4 && w[7] == 0 && line[0] == 'l' && page[1023] == 0 && pair[1] == 4);
    CHECK((uintptr_t)line % 64 == 0 && (uintptr_t)page % 4096 == 0 && (uintptr_t)pair % 128 == 0);
    CHECK((uintptr_t)&aligned[1].i % 32 == 0 && aligned[2].i == 3 && to_page == page + 1023);
}

int main(int argc, char **argv) {
    check_fresh();
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        z *= I, zf[1] += (float)rank, precise += rank, zl += rank, huge += rank, --huge_zero;
        v += (four_floats){1, 1, 1, (float)rank};
        w -= (eight_ints){rank, 1, 1, 1, 1, 1, 1, rank};
        line[63] = (char)rank, *to_page += rank, pair[1] *= 2, aligned[1].i += rank;
        let_others_run();
        CHECK(creal(z) == (i == 1 ? -2 : i == 2 ? -1 : 2) && crealf(zf[1]) == (float)(i * rank));
        CHECK(precise == 1.25L + i * rank && creall(zl) == i * rank && cimagl(zl) == 3);
        CHECK_EQUAL((int64_t)(huge & 0xffffffff), 7 + i * rank);
        CHECK(huge_zero == -(unsigned __int128)i && v[3] == 4 + (float)(i * rank) &&
              v[0] == 1 + (float)i);
        CHECK(w[7] == -i * rank && w[1] == -i && line[63] == rank);
        CHECK_EQUAL(page[1023], i * rank);
        CHECK(pair[1] == 4 << i && aligned[1].i == 2 + i * rank);
    }
    return finish();
}
