// A datatype that is committed, one that is not, and one that MPI_Type_get_contents returned.
// ranks: 2
// expect: warning: 2 datatypes made by MPI_Type_vector at .*:11 in main .* freed \(ranks 0,1, one each\)$
// expect: warning: 2 datatypes made by MPI_Type_contiguous at .*:12 in main .* freed \(ranks 0,1, one each\)$
// expect: warning: 2 datatypes returned by MPI_Type_get_contents at .*:16 in main .* freed \(ranks 0,1, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype column, row, inner;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_contiguous(2, column, &row);
    MPI_Type_commit(&column);
    int count;
    MPI_Aint no_addresses;
    MPI_Type_get_contents(row, 1, 0, 1, &count, &no_addresses, &inner);
    MPI_Finalize();
    return count == 2 ? 0 : 1;
}
