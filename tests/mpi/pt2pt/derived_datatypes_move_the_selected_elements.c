// MPI 5.0 section 5.1.11: "The message sent contains n · count entries", those that the type map of
// n entries selects; section 3.3.1: only the type signatures of sender and receiver have to match,
// so a column may be received as a row.
// ranks: 2
#include "messages.h"

enum { kRows = 60, kColumns = 50 };

int main(void) {
    start(NULL, NULL);
    static double matrix[kRows][kColumns];
    MPI_Datatype column, resized;
    MPI_Type_vector(kRows, 1, kColumns, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &resized);
    MPI_Type_commit(&column);
    MPI_Type_commit(&resized);
    for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kColumns; ++j)
            matrix[i][j] = rank == 0 ? i * 1000 + j : -1;
    if (rank == 0) {
        MPI_Send(&matrix[0][7], 1, column, 1, 0, MPI_COMM_WORLD);
        MPI_Send(matrix, kColumns, resized, 1, 1, MPI_COMM_WORLD);
        MPI_Send(matrix, kRows * kColumns, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    } else {
        static double row[kRows], transposed[kColumns][kRows];
        MPI_Recv(row, kRows, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < kRows; ++i)
            CHECK(row[i] == i * 1000 + 7);
        MPI_Recv(transposed, kRows * kColumns, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int j = 0; j < kColumns; ++j)
            for (int i = 0; i < kRows; ++i)
                CHECK(transposed[j][i] == i * 1000 + j);
        // Contiguous at the sender, two columns at the receiver: element k goes to column k /
        // kRows.
        MPI_Recv(matrix, kColumns, resized, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < kRows * kColumns; ++k)
            CHECK(matrix[k % kRows][k / kRows] == k / kColumns * 1000 + k % kColumns);
    }
    MPI_Type_free(&column);
    MPI_Type_free(&resized);
    MPI_Finalize();
    return 0;
}
