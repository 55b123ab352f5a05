// MPI 5.0 section 12.8: "The following example shows how request-based operations can be used to
// overlap communication with computation. Each MPI process fetches, processes, and writes the
// result for NSTEPS chunks of data. Instead of a single buffer, M local buffers are used to allow
// up to M communication operations to overlap with computation."
// ranks: 1 3
#include "windows.h"

enum { NSTEPS = 12, N = 300, M = 4 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Win win;
    MPI_Request put_req[M], get_req;
    double *baseptr, data[M][N];
    int target = right_neighbour();
    for (int j = 0; j < M; ++j)
        put_req[j] = MPI_REQUEST_NULL;
    MPI_Win_allocate(NSTEPS * N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &baseptr, &win);
    for (int i = 0; i < NSTEPS * N; ++i)
        baseptr[i] = i + 0.5 * rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < NSTEPS; i++) {
        int j = i;
        if (i >= M)
            MPI_Waitany(M, put_req, &j, MPI_STATUS_IGNORE);
        CHECK(j >= 0 && j < M);
        MPI_Rget(data[j], N, MPI_DOUBLE, target, i * N, N, MPI_DOUBLE, win, &get_req);
        MPI_Wait(&get_req, MPI_STATUS_IGNORE);
        for (int k = 0; k < N; ++k)
            data[j][k] *= 2;
        MPI_Rput(data[j], N, MPI_DOUBLE, target, i * N, N, MPI_DOUBLE, win, &put_req[j]);
    }
    MPI_Waitall(M, put_req, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < NSTEPS * N; ++i)
        CHECK(baseptr[i] == 2 * (i + 0.5 * rank));
    MPI_Win_free(&win);
    return finish();
}
