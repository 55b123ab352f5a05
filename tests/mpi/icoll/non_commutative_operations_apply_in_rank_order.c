// MPI 5.0 section 6.12: "Likewise, upon completion, nonblocking collective reduction operations
// have the same effect as their blocking counterparts, and the same restrictions and
// recommendations on reduction orders apply." Section 6.9.5: "If commute = false, then the order of
// operands is fixed and is defined to be in ascending, process rank order, beginning with MPI
// process with rank 0 in the communicator comm."
// ranks: 1 2 5 16 40
#include "world.h"

// A string of up to 60 letters; the operation appends.
typedef struct {
    char letters[64];
} Word;

static int calls; // of this rank's function: a global of its own

static void append(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    ++calls;
    for (int i = 0; i < *length; ++i) {
        Word left = ((Word *)in)[i], *right = &((Word *)inout)[i];
        strncat(left.letters, right->letters, sizeof left.letters - strlen(left.letters) - 1);
        *right = left;
    }
}

static void expect(const Word *word, int first, int end) {
    CHECK_EQUAL(strlen(word->letters), end - first);
    for (int i = first; i < end; ++i)
        CHECK_EQUAL(word->letters[i - first], 'A' + i % 26);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type;
    MPI_Op op;

    enum { count = 200 };

    static Word mine[count], result[count];
    MPI_Request request;
    CHECK_SUCCESS(MPI_Type_contiguous(sizeof(Word), MPI_CHAR, &type));
    CHECK_SUCCESS(MPI_Type_commit(&type));
    CHECK_SUCCESS(MPI_Op_create(append, 0, &op));
    for (int n = 1; n <= count; n += count - 1) {
        for (int i = 0; i < n; ++i)
            mine[i] = (Word){{(char)('A' + rank % 26)}};
        CHECK_SUCCESS(MPI_Ireduce(mine, result, n, type, op, size - 1, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < n && rank == size - 1; ++i)
            expect(&result[i], 0, size);
        CHECK_SUCCESS(MPI_Iallreduce(mine, result, n, type, op, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < n; ++i)
            expect(&result[i], 0, size);
        CHECK_SUCCESS(MPI_Iscan(mine, result, n, type, op, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < n; ++i)
            expect(&result[i], 0, rank + 1);
        CHECK_SUCCESS(MPI_Iexscan(mine, result, n, type, op, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < n && rank > 0; ++i)
            expect(&result[i], 0, rank);
    }
    // All the calls that the functions have counted were made by somebody.
    int all;
    CHECK_SUCCESS(MPI_Allreduce(&calls, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(size == 1 || all >= 4 * (size - 1));
    CHECK_SUCCESS(MPI_Op_free(&op));
    CHECK_SUCCESS(MPI_Type_free(&type));
    return finish();
}
