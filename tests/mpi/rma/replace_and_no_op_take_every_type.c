// MPI 5.0 section 12.3.4: "An additional predefined operator, MPI_REPLACE, is defined. It
// corresponds to the associative function f(a,b) = b; i.e., the current value in the target memory
// is replaced by the value supplied by the origin." MPI_NO_OP: "the current value in the target
// memory is returned in the result buffer at the origin and the target buffer is not updated."
// ranks: 1 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 3, bytes_max = 128 };

    MPI_Datatype types[] = {MPI_CHAR,      MPI_SIGNED_CHAR, MPI_SHORT,      MPI_INT,
                            MPI_LONG_LONG, MPI_FLOAT,       MPI_DOUBLE,     MPI_LONG_DOUBLE,
                            MPI_BYTE,      MPI_C_BOOL,      MPI_AINT,       MPI_COUNT,
                            MPI_OFFSET,    MPI_WCHAR,       MPI_C_COMPLEX,  MPI_C_DOUBLE_COMPLEX,
                            MPI_LOGICAL,   MPI_CHARACTER,   MPI_DOUBLE_INT, MPI_SHORT_INT,
                            MPI_2INT,      MPI_INT8_T,      MPI_UINT64_T,   MPI_PACKED};
    char *memory, out[bytes_max], in[bytes_max], old[bytes_max];
    MPI_Win win;
    MPI_Win_allocate(bytes_max, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
        MPI_Aint lower, extent;
        int size_bytes;
        MPI_Type_get_extent(types[t], &lower, &extent);
        MPI_Type_size(types[t], &size_bytes);
        int gaps = extent != size_bytes, target = right_neighbour();
        for (int i = 0; i < bytes_max; ++i) {
            out[i] = (char)(i + 1 + rank);
            memory[i] = (char)(100 - i);
            old[i] = in[i] = 0;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
        CHECK_SUCCESS(MPI_Get_accumulate(out, count, types[t], old, count, types[t], target, 0,
                                         count, types[t], MPI_REPLACE, win));
        // "If MPI_NO_OP is specified as the operator, the origin_addr, origin_count, and
        // origin_datatype arguments are ignored."
        CHECK_SUCCESS(MPI_Get_accumulate(NULL, -1, MPI_DATATYPE_NULL, in, count, types[t], target,
                                         0, count, types[t], MPI_NO_OP, win));
        MPI_Win_unlock(target, win);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < count * extent; ++i) {
            if (gaps && in[i] == 0)
                continue; // not data
            CHECK_EQUAL(in[i], (char)(i + 1 + rank));
            CHECK_EQUAL(old[i], (char)(100 - i));
            CHECK_EQUAL(memory[i], (char)(i + 1 + left_neighbour()));
        }
        CHECK_EQUAL(memory[count * extent], (char)(100 - count * extent));
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        memset(in, 0, sizeof in);
        CHECK_SUCCESS(MPI_Fetch_and_op(NULL, in, types[t], rank, 0, MPI_NO_OP, win));
        CHECK_SUCCESS(MPI_Accumulate(old, 1, types[t], rank, 0, 1, types[t], MPI_REPLACE, win));
        MPI_Win_unlock(rank, win);
        CHECK_EQUAL(in[0], (char)(1 + left_neighbour()));
        CHECK_EQUAL(memory[0], 100);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    return finish();
}
