// Globals, file statics and function statics of every arithmetic type.
// ranks: 8 64
#include "torture.h"

#include <stdbool.h>
#include <string.h>

int zero;
int number = 42;
static long negative = -7;
static char text[64];
double few[10] = {1, 2, 3};

struct {
    int x;
    char y;
    double z[3];
} mixed = {1, 'q', {.5, .25}};

unsigned char byte = 200;
bool flag = true;
static float ratio = 1.5f;
unsigned long long wide = 0xffffffffffffffffULL;
short small = -300;

enum colour { RED = 3, GREEN } colour = GREEN;

wchar_t name[] = L"rank";
volatile int loud = 9;

static int count_up(void) {
    static int calls;
    return ++calls;
}

static int count_in_twos(void) {
    static int n = 100;
    {
        static int n_inner = 1;
        n_inner *= 2;
        n += 2;
        return n * 1000 + n_inner;
    }
}

static void check_fresh(void) {
    CHECK(zero == 0 && number == 42 && negative == -7 && text[0] == 0 && text[63] == 0);
    CHECK(few[2] == 3 && few[9] == 0 && mixed.x == 1 && mixed.y == 'q' && mixed.z[1] == .25);
    CHECK(byte == 200 && flag && ratio == 1.5f && wide == ~0ULL && small == -300);
    CHECK(colour == GREEN && name[3] == L'k' && loud == 9);
}

int main(int argc, char **argv) {
    check_fresh();
    int rank = start(&argc, &argv);
    for (int i = 0; i < 5; ++i) {
        zero += rank + 1, number -= rank, negative *= 2, text[i] = (char)('A' + rank % 50);
        few[i] += rank, ++mixed.x, mixed.z[2] = rank, ++byte, flag = rank & 1, ratio *= 2;
        wide -= (unsigned)rank, small = (short)(small + rank), name[0] = L'a' + rank, loud += rank;
        colour = rank & 1 ? RED : GREEN;
        let_others_run();
        CHECK_EQUAL(zero, (rank + 1) * (i + 1));
        CHECK_EQUAL(number, 42 - rank * (i + 1));
        CHECK_EQUAL(negative, -7 * (2L << i));
        CHECK(text[i] == 'A' + rank % 50 && few[i] == rank + (i < 3 ? i + 1 : 0));
        CHECK(mixed.x == i + 2 && mixed.z[2] == rank && byte == (unsigned char)(201 + i));
        CHECK(flag == (rank & 1) && ratio == 1.5f * (float)(2 << i));
        CHECK(wide == ~0ULL - (unsigned)(rank * (i + 1)) && small == -300 + rank * (i + 1));
        CHECK(name[0] == L'a' + rank && loud == 9 + rank * (i + 1));
        CHECK(colour == (rank & 1 ? RED : GREEN));
        CHECK_EQUAL(count_up(), i + 1);
        CHECK_EQUAL(count_in_twos(), (102 + 2 * i) * 1000 + (2 << i));
    }
    return finish();
}
