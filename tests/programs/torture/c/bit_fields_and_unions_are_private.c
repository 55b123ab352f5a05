// Bit-fields that share words, packed structures, unions seen as other types.
// ranks: 8 64
// flags: -Wno-address-of-packed-member
#include "torture.h"

#include <stdint.h>

static struct {
    unsigned a : 3, b : 5, c : 13;
    int d : 7;
    unsigned long long e : 40;
    unsigned : 0;
    unsigned last : 1;
} bits = {5, 17, 4000, -3, 1ULL << 39, 1};

struct __attribute__((packed)) {
    char tag;
    uint32_t value;
    uint16_t tail : 9;
} packed = {'p', 0x01020304, 257};

union {
    int i;
    float f;
    unsigned char bytes[8];
} either = {.i = 0x3f800000};

static union {
    struct {
        unsigned char low, high;
    };

    uint16_t both;
} halves = {.both = 0x1234};

uint32_t *unaligned = &packed.value;

int main(int argc, char **argv) {
    CHECK(bits.a == 5 && bits.b == 17 && bits.c == 4000 && bits.d == -3 && bits.e == 1ULL << 39 &&
          bits.last);
    CHECK(packed.value == 0x01020304 && packed.tail == 257 && either.f == 1.0f &&
          halves.high == 0x12);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        bits.a = (unsigned)i, bits.b ^= (unsigned)rank, bits.c -= (unsigned)rank,
        bits.d = i - rank % 32;
        bits.e += (unsigned)rank, bits.last = !bits.last;
        packed.value += (uint32_t)rank, packed.tail = (uint16_t)(rank + i) & 511;
        either.bytes[5] = (unsigned char)rank, either.f += (float)rank,
        halves.low = (unsigned char)rank;
        let_others_run();
        CHECK(bits.a == (unsigned)i && bits.b == (17u ^ (i & 1 ? (unsigned)rank & 31 : 0)));
        CHECK(bits.c == 4000u - (unsigned)(i * rank) && bits.d == i - rank % 32);
        CHECK(bits.e == (1ULL << 39) + (unsigned)(i * rank) && bits.last == ((i & 1) == 0));
        CHECK(*(volatile uint32_t *)unaligned == 0x01020304u + (uint32_t)(i * rank));
        CHECK(packed.tail == rank + i && packed.tag == 'p' && either.bytes[5] == rank);
        CHECK(either.f == 1 + (float)(i * rank) && halves.both == 0x1200 + rank);
    }
    return finish();
}
