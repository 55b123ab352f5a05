// MPI 5.0 section 8.5.1: "The call is erroneous if it specifies a grid that is larger than the
// group size or if ndims is negative." Section 8.5.3: "The call is erroneous if it specifies a
// graph that is larger than the group size of the input communicator." Section 8.5.6: "It is
// erroneous to call MPI_CART_SHIFT with a direction that is either negative or greater than or
// equal to the number of dimensions in the Cartesian communicator." Classes of section 9.4.
// ranks: 2 4
#include "messages.h"

static MPI_Comm world, none;
static int numbers[16];

static void creation(void) {
    int dims[2] = {size, 2}, zero[1] = {0}, negative[1] = {-2}, periods[2] = {0, 0};
    CHECK_ERROR(MPI_Cart_create(world, 2, dims, periods, 0, &none), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_create(world, -1, dims, periods, 0, &none), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_create(world, 1, zero, periods, 0, &none), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_create(world, 1, negative, periods, 0, &none), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_create(world, 1, NULL, periods, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_create(world, 1, dims, NULL, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_create(MPI_COMM_NULL, 1, dims, periods, 0, &none), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Cart_create(world, 1, dims, periods, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_map(world, 2, dims, periods, numbers), MPI_ERR_DIMS);
    int index[2] = {1, 2}, edges[2] = {1, 0}, falling[2] = {2, 1}, outside[2] = {1, 2};
    CHECK_ERROR(MPI_Graph_create(world, size + 1, index, edges, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_create(world, -1, index, edges, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_create(world, 2, falling, edges, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_create(world, 2, index, outside, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_create(world, 2, NULL, edges, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_create(world, 2, index, NULL, 0, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Graph_map(world, 2, falling, edges, numbers), MPI_ERR_ARG);
}

static void distributed_graphs(void) {
    int degree = 1, bad_degree = -1, next = (rank + 1) % size, last = (rank + size - 1) % size;
    int bad = size, weight = 1, bad_weight = -1;
    int *none_given = MPI_UNWEIGHTED;
    MPI_Info null = MPI_INFO_NULL;
    CHECK_ERROR(MPI_Dist_graph_create(world, -1, &rank, &degree, &next, none_given, null, 0, &none),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &bad, &degree, &next, none_given, null, 0, &none),
                MPI_ERR_RANK);
    CHECK_ERROR(
        MPI_Dist_graph_create(world, 1, &rank, &bad_degree, &next, none_given, null, 0, &none),
        MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &rank, &degree, &bad, none_given, null, 0, &none),
                MPI_ERR_RANK);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &rank, &degree, &next, &bad_weight, null, 0, &none),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create(world, 1, &rank, &degree, &next, NULL, null, 0, &none),
                MPI_ERR_ARG);
    CHECK_ERROR(
        MPI_Dist_graph_create(world, 1, &rank, &degree, &next, MPI_WEIGHTS_EMPTY, null, 0, &none),
        MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create_adjacent(world, -1, &last, none_given, 1, &next, none_given,
                                               null, 0, &none),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create_adjacent(world, 1, &bad, none_given, 1, &next, none_given,
                                               null, 0, &none),
                MPI_ERR_RANK);
    CHECK_ERROR(MPI_Dist_graph_create_adjacent(world, 1, &last, &weight, 1, &next, &bad_weight,
                                               null, 0, &none),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dist_graph_create_adjacent(world, 1, &last, &weight, 1, &next, none_given, null,
                                               0, &none),
                MPI_ERR_ARG);
    CHECK_ERROR(
        MPI_Dist_graph_create_adjacent(world, 1, NULL, &weight, 1, &next, &weight, null, 0, &none),
        MPI_ERR_ARG);
}

static void inquiries(void) {
    int dims[2] = {2, size / 2}, periods[2] = {0, 1}, index[2] = {1, 2}, edges[2] = {1, 0};
    int numbers2[4];
    MPI_Comm cart, graph;
    MPI_Cart_create(world, 2, dims, periods, 0, &cart);
    MPI_Graph_create(world, 2, index, edges, 0, &graph);
    // Without a topology, and with another one.
    CHECK_ERROR(MPI_Cartdim_get(world, numbers), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Cart_sub(world, periods, &none), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Graphdims_get(cart, numbers, numbers2), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Graph_neighbors_count(cart, 0, numbers), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Dist_graph_neighbors_count(cart, numbers, numbers, numbers), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Cart_shift(world, 0, 1, numbers, numbers2), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Topo_test(MPI_COMM_NULL, numbers), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Topo_test(world, NULL), MPI_ERR_ARG);
    // Ranks, directions and arrays.
    CHECK_ERROR(MPI_Cart_shift(cart, 2, 1, numbers, numbers2), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_shift(cart, -1, 1, numbers, numbers2), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_coords(cart, size, 2, numbers), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Cart_coords(cart, -1, 2, numbers), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Cart_coords(cart, 0, 1, numbers), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_coords(cart, 0, 2, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_get(cart, 1, numbers, numbers, numbers), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_get(cart, 2, numbers, NULL, numbers), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_rank(cart, NULL, numbers), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_sub(cart, NULL, &none), MPI_ERR_ARG);
    if (graph != MPI_COMM_NULL) {
        CHECK_ERROR(MPI_Cartdim_get(graph, numbers), MPI_ERR_TOPOLOGY);
        CHECK_ERROR(MPI_Graph_neighbors_count(graph, 2, numbers), MPI_ERR_RANK);
        CHECK_ERROR(MPI_Graph_neighbors(graph, -1, 2, numbers), MPI_ERR_RANK);
        CHECK_ERROR(MPI_Graph_neighbors(graph, 0, 0, numbers), MPI_ERR_ARG);
        CHECK_ERROR(MPI_Graph_get(graph, 1, 2, numbers, numbers2), MPI_ERR_ARG);
        CHECK_ERROR(MPI_Graph_get(graph, 2, 1, numbers, numbers2), MPI_ERR_ARG);
        MPI_Comm_free(&graph);
    }
    MPI_Comm_free(&cart);
}

int main(void) {
    start_with_errors_returned();
    world = MPI_COMM_WORLD;
    creation();
    distributed_graphs();
    inquiries();
    // Nothing above has put the ranks out of step.
    CHECK_SUCCESS(MPI_Barrier(world));
    return finish();
}
