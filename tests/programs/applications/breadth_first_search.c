// Breadth-first search in a graph whose vertices are dealt out: each level's discoveries go to
// their owners by MPI_Alltoallv; the search ends when MPI_Allreduce with MPI_LOR finds no new
// vertex. Distances are compared with a serial search.
// ranks: 1 4 16 64
#include "world.h"

enum { kVertices = 1000, kDegree = 3, kFar = 1 << 20 };

static int neighbour(int vertex, int k) {
    return (int)(((unsigned int)vertex * (k + 2u) + 37u * (unsigned int)k + 1u) % kVertices);
}

static void alone(int *distance) {
    static int queue[kVertices];
    int head = 0, tail = 0;
    for (int v = 0; v < kVertices; ++v)
        distance[v] = kFar;
    distance[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (int k = 0; k < kDegree; ++k) {
            int w = neighbour(v, k);
            if (distance[w] == kFar) {
                distance[w] = distance[v] + 1;
                queue[tail++] = w;
            }
        }
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    // Vertex v belongs to rank v % size.
    static int distance[kVertices], frontier[kVertices], expected[kVertices];
    int in_frontier = 0, level = 0, more = 1;
    for (int v = 0; v < kVertices; ++v)
        distance[v] = kFar;
    if (rank == 0) {
        distance[0] = 0;
        frontier[in_frontier++] = 0;
    }
    int *counts = calloc((size_t)size * 4, sizeof *counts);
    int *send = counts, *send_at = counts + size, *take = counts + 2 * size,
        *take_at = counts + 3 * size;
    int *found = malloc(kVertices * kDegree * sizeof *found);
    while (more) {
        ++level;
        memset(send, 0, (size_t)size * sizeof *send);
        for (int i = 0; i < in_frontier; ++i)
            for (int k = 0; k < kDegree; ++k)
                ++send[neighbour(frontier[i], k) % size];
        CHECK_SUCCESS(MPI_Alltoall(send, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD));
        int received = 0;
        for (int r = 0; r < size; ++r) {
            send_at[r] = r ? send_at[r - 1] + send[r - 1] : 0;
            take_at[r] = received;
            received += take[r];
        }
        int *arrived = malloc(((size_t)received + 1) * sizeof *arrived);
        memset(send, 0, (size_t)size * sizeof *send);
        for (int i = 0; i < in_frontier; ++i)
            for (int k = 0; k < kDegree; ++k) {
                int w = neighbour(frontier[i], k), owner = w % size;
                found[send_at[owner] + send[owner]++] = w;
            }
        CHECK_SUCCESS(MPI_Alltoallv(found, send, send_at, MPI_INT, arrived, take, take_at, MPI_INT,
                                    MPI_COMM_WORLD));
        in_frontier = 0;
        for (int i = 0; i < received; ++i) {
            CHECK_EQUAL(arrived[i] % size, rank);
            if (distance[arrived[i]] == kFar) {
                distance[arrived[i]] = level;
                frontier[in_frontier++] = arrived[i];
            }
        }
        free(arrived);
        int any = in_frontier > 0;
        CHECK_SUCCESS(MPI_Allreduce(&any, &more, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
    }
    alone(expected);
    for (int v = rank; v < kVertices; v += size)
        CHECK_EQUAL(distance[v], expected[v]);
    free(found);
    free(counts);
    return finish();
}
