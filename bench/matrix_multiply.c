/* matrix_multiply [-r samples] [-b seconds] [order]: C = A B, with MPI_Bsend and MPI_Recv (TMPI
 * paper, section 4.3). Each rank has order / ranks rows of A, B and C; the blocks of B go round a
 * ring. The attached buffer holds all blocks, so that no rank has to wait for its neighbour. The
 * figure is the time of a product; C is checked. */
#include "application.h"

#include <math.h>

static int rows;
static double *a, *own_b, *other_b, *c;

/* C += the columns of A that belong to the rows of B that were first rank `from`'s. */
static void multiply_block(const double *b, int from) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows; k++) {
            double factor = a[(size_t)i * (size_t)order + (size_t)(from * rows + k)];
            const double *b_row = b + (size_t)k * (size_t)order;
            double *c_row = c + (size_t)i * (size_t)order;
            for (int j = 0; j < order; j++)
                c_row[j] += factor * b_row[j];
        }
}

static double multiply(void) {
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, block = rows * order;
    memset(c, 0, (size_t)block * sizeof *c);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    const double *b = own_b;
    for (int step = 0; step < size; step++) {
        if (step < size - 1)
            MPI_Bsend(b, block, MPI_DOUBLE, previous, step, MPI_COMM_WORLD);
        multiply_block(b, (rank + step) % size);
        if (step == size - 1)
            break;
        MPI_Recv(other_b, block, MPI_DOUBLE, next, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        b = other_b;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return now_seconds() - start;
}

/* A[i][k] = i + 1 and B[k][j] = k - j: C[i][j] = (i + 1) (n (n - 1) / 2 - n j). */
static void check(void) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < order; j++) {
            double want =
                (rank * rows + i + 1.0) * (0.5 * order * (order - 1.0) - (double)order * j);
            if (fabs(c[(size_t)i * (size_t)order + (size_t)j] - want) > 1e-9 * fabs(want) + 1e-6)
                end_with(3, "matrix_multiply", "wrong result");
        }
}

int main(int argc, char **argv) {
    struct sampling s = begin_application(&argc, &argv);
    if (order < 1 || order % size)
        end_with(2, "matrix_multiply", "the order must be a multiple of the number of ranks");
    rows = order / size;
    size_t block_bytes = (size_t)rows * (size_t)order * sizeof *a;
    a = allocate_touched(block_bytes), own_b = allocate_touched(block_bytes);
    other_b = allocate_touched(block_bytes), c = allocate_touched(block_bytes);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < order; j++) {
            a[(size_t)i * (size_t)order + (size_t)j] = rank * rows + i + 1;
            own_b[(size_t)i * (size_t)order + (size_t)j] = rank * rows + i - j;
        }
    int room = (int)((size_t)size * (block_bytes + MPI_BSEND_OVERHEAD) + 4096);
    void *attached = malloc((size_t)room);
    MPI_Buffer_attach(attached, room);
    measure_application("matrix_multiply", &s, multiply, check);
    MPI_Buffer_detach(&attached, &room);
    free(attached), free(a), free(own_b), free(other_b), free(c);
    MPI_Finalize();
    return 0;
}
