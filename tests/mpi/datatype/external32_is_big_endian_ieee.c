// MPI 5.0 section 14.5.2: external32: "All floating point values are in big-endian IEEE format ...
// of the appropriate size ... All integral values are in two's complement big-endian format."
// ranks: 1
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    unsigned char buffer[64];
    int number = 0x01020304, back = 0;
    double real = 1.5, real_back = 0; // 3ff8 0000 0000 0000
    short shorts[2] = {-2, 0x0a0b}, shorts_back[2];
    MPI_Aint position = 0, bytes;
    MPI_Pack_external_size("external32", 1, MPI_INT, &bytes);
    CHECK_EQUAL(bytes, 4);
    MPI_Pack_external_size("external32", 1, MPI_LONG_DOUBLE, &bytes);
    CHECK_EQUAL(bytes, 16);
    MPI_Pack_external("external32", &number, 1, MPI_INT, buffer, sizeof buffer, &position);
    MPI_Pack_external("external32", &real, 1, MPI_DOUBLE, buffer, sizeof buffer, &position);
    MPI_Pack_external("external32", shorts, 2, MPI_SHORT, buffer, sizeof buffer, &position);
    CHECK_EQUAL(position, 16);
    static const unsigned char expected[16] = {1, 2, 3, 4, 0x3f, 0xf8, 0,    0,
                                               0, 0, 0, 0, 0xff, 0xfe, 0x0a, 0x0b};
    CHECK(memcmp(buffer, expected, 16) == 0);
    position = 0;
    MPI_Unpack_external("external32", buffer, 16, &position, &back, 1, MPI_INT);
    MPI_Unpack_external("external32", buffer, 16, &position, &real_back, 1, MPI_DOUBLE);
    MPI_Unpack_external("external32", buffer, 16, &position, shorts_back, 2, MPI_SHORT);
    CHECK_EQUAL(position, 16);
    CHECK(back == number && real_back == real);
    CHECK(shorts_back[0] == -2 && shorts_back[1] == 0x0a0b);
    return finish();
}
