// For whole-program tests of datatypes: a datatype is described once more, by the byte offset of
// each int that it covers in order, and a message and a pack/unpack round trip are compared with
// that.
#ifndef THRUM_TESTS_LAYOUTS_H
#define THRUM_TESTS_LAYOUTS_H
#include "world.h"

enum { layout_bytes = 4096 };

// `offsets` are those of one element of `type`, in ints; `count` elements follow at the extent.
static inline void check_layout(MPI_Datatype type, int count, int ints, const int *offsets) {
    static int from[layout_bytes / 4], packed[layout_bytes / 4], to[layout_bytes / 4],
        expected[layout_bytes / 4];
    MPI_Aint lower_bound, extent;
    MPI_Count bytes;
    MPI_Status status;
    int amount, position = 0, packed_bytes, middle = layout_bytes / 8;
    CHECK_SUCCESS(MPI_Type_commit(&type));
    MPI_Type_get_extent(type, &lower_bound, &extent);
    MPI_Type_size_c(type, &bytes);
    CHECK_EQUAL(bytes, 4 * ints);
    for (int i = 0; i < layout_bytes / 4; ++i) {
        from[i] = 1000 + i;
        to[i] = expected[i] = packed[i] = -1;
    }
    for (int element = 0, next = 0; element < count; ++element)
        for (int i = 0; i < ints; ++i, ++next) {
            int place = middle + element * (int)(extent / 4) + offsets[i];
            packed[next] = from[place];
            expected[place] = from[place];
        }
    // As a message: typed to contiguous, and back.
    static int received[layout_bytes / 4];
    memset(received, 0xff, sizeof received);
    MPI_Sendrecv(from + middle, count, type, 0, 1, received, count * ints, MPI_INT, 0, 1,
                 MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_INT, &amount);
    CHECK_EQUAL(amount, count * ints);
    CHECK(memcmp(received, packed, sizeof packed) == 0);
    MPI_Sendrecv(packed, count * ints, MPI_INT, 0, 2, to + middle, count, type, 0, 2, MPI_COMM_SELF,
                 &status);
    CHECK(memcmp(to, expected, sizeof to) == 0);
    // By pack and unpack.
    memset(to, 0xff, sizeof to);
    memset(received, 0xff, sizeof received);
    MPI_Pack_size(count, type, MPI_COMM_SELF, &packed_bytes);
    CHECK(packed_bytes >= count * ints * 4 && packed_bytes <= layout_bytes);
    MPI_Pack(from + middle, count, type, received, layout_bytes, &position, MPI_COMM_SELF);
    int end = position;
    position = 0;
    MPI_Unpack(received, end, &position, to + middle, count, type, MPI_COMM_SELF);
    CHECK_EQUAL(position, end);
    CHECK(memcmp(to, expected, sizeof to) == 0);
}

#define CHECK_LAYOUT(type, count, ...)                                                             \
    check_layout(type, count, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)),                   \
                 (int[]){__VA_ARGS__})
#endif
