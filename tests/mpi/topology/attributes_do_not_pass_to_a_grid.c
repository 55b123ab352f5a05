// MPI 5.0 section 8.4: "In analogy to function MPI_COMM_CREATE, no cached information propagates
// from comm_old to comm_topol." Section 9.3: the error handler does.
// ranks: 4
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int keyval, value = 5, flag, *found, dims = 4, period = 1;
    MPI_Comm old, ring, graph;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &old);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(old, keyval, &value);
    MPI_Comm_set_errhandler(old, MPI_ERRORS_RETURN);
    MPI_Cart_create(old, 1, &dims, &period, 0, &ring);
    MPI_Dist_graph_create(old, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm made[2] = {ring, graph};
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_get_attr(made[i], keyval, &found, &flag);
        CHECK(!flag);
        MPI_Comm_get_errhandler(made[i], &handler);
        CHECK(handler == MPI_ERRORS_RETURN);
        MPI_Errhandler_free(&handler);
        MPI_Comm_free(&made[i]);
    }
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&old);
    return finish();
}
