// MPI 5.0 section 5.1.2: MPI_TYPE_CREATE_STRUCT "is the most general type constructor": an array of
// C structures arrives member by member, and the padding at the receiver stays as it was.
// ranks: 2 4
#include "world.h"

typedef struct {
    char letter;
    double real;
    int numbers[3];
    char last;
} Record;

enum { n = 1000 };

int main(int argc, char **argv) {
    static Record out[n], in[n];
    start(&argc, &argv);
    MPI_Datatype packed_type, type;
    MPI_Aint base, places[4];
    MPI_Get_address(&out[0], &base);
    MPI_Get_address(&out[0].letter, &places[0]);
    MPI_Get_address(&out[0].real, &places[1]);
    MPI_Get_address(&out[0].numbers, &places[2]);
    MPI_Get_address(&out[0].last, &places[3]);
    for (int i = 0; i < 4; ++i)
        places[i] = MPI_Aint_diff(places[i], base);
    MPI_Type_create_struct(4, (int[]){1, 1, 3, 1}, places,
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_CHAR}, &packed_type);
    MPI_Type_create_resized(packed_type, 0, sizeof(Record), &type);
    MPI_Type_commit(&type);
    memset(out, 0x11, sizeof out);
    memset(in, 0x77, sizeof in);
    for (int i = 0; i < n; ++i) {
        out[i].letter = (char)('a' + i % 26);
        out[i].real = rank + i / 8.0;
        for (int j = 0; j < 3; ++j)
            out[i].numbers[j] = 10 * i + j;
        out[i].last = (char)i;
    }
    int left = (rank + size - 1) % size;
    MPI_Sendrecv(out, n, type, (rank + 1) % size, 0, in, n, type, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i) {
        CHECK_EQUAL(in[i].letter, 'a' + i % 26);
        CHECK(in[i].real == left + i / 8.0);
        for (int j = 0; j < 3; ++j)
            CHECK_EQUAL(in[i].numbers[j], 10 * i + j);
        CHECK_EQUAL(in[i].last, (char)i);
        CHECK_EQUAL(((char *)&in[i])[1], 0x77); // padding after letter
        CHECK_EQUAL(((char *)&in[i])[sizeof(Record) - 1], 0x77);
    }
    MPI_Type_free(&packed_type);
    MPI_Type_free(&type);
    return finish();
}
