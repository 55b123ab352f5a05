// MPI 5.0 section 8.4: "For MPI_GRAPH_CREATE and MPI_CART_CREATE, all input arguments must have
// identical values on all MPI processes of the group of comm_old." Section 8.5.4: "It is erroneous
// to supply MPI_UNWEIGHTED for some but not all MPI processes of comm_old." "All MPI processes must
// specify the same set of ( key, value) info pairs."
// ranks: 3 4
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    int dims = 2 + (rank == 1), periods = 1, last = rank == size - 1, degree = 1;
    int right = (rank + 1) % size, weight = 1;
    MPI_Comm made, world = MPI_COMM_WORLD, ring;
    CHECK_ERROR(MPI_Cart_create(world, 1, &dims, &periods, 0, &made), MPI_ERR_ARG);
    dims = 2;
    CHECK_ERROR(MPI_Cart_create(world, 1, &dims, &last, 0, &made), MPI_ERR_ARG);
    int index[2] = {1, 2}, edges[2] = {1, last};
    CHECK_ERROR(MPI_Graph_create(world, 2, index, edges, 0, &made), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &rank, &degree, &right,
                                      last ? &weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &rank, &degree, &right, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, last, &made),
                MPI_ERR_ARG);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", last ? "a" : "b");
    CHECK_ERROR(
        MPI_Dist_graph_create(world, 1, &rank, &degree, &right, MPI_UNWEIGHTED, info, 0, &made),
        MPI_ERR_ARG);
    MPI_Info_free(&info);
    CHECK_SUCCESS(MPI_Cart_create(world, 1, &size, &periods, 0, &ring));
    CHECK_ERROR(MPI_Cart_sub(ring, &last, &made), MPI_ERR_ARG);
    MPI_Comm_free(&ring);
    // An error of one rank is everybody's.
    dims = last ? -1 : 1;
    CHECK_ERROR(MPI_Cart_create(world, 1, &dims, &periods, 0, &made), MPI_ERR_DIMS);
    // Different operations, too.
    int code = last ? MPI_Cart_create(world, 1, &size, &periods, 0, &made)
                    : MPI_Graph_create(world, 2, index, index, 0, &made);
    CHECK(code != MPI_SUCCESS);
    return finish();
}
