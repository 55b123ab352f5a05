// MPI 5.0 section 9.4: an error has the class of the argument that is wrong. Each argument of the
// functions of sections 11.8 to 11.10 in turn.
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    char **none = MPI_ARGV_NULL, *program = argv[0], port[MPI_MAX_PORT_NAME];
    MPI_Comm out, self = MPI_COMM_SELF, inter;
    int *ignored = MPI_ERRCODES_IGNORE, one = 1, bad = 0;
    MPI_Info no_info = MPI_INFO_NULL, wrong_info = (MPI_Info)&bad;
    CHECK_ERROR(MPI_Comm_spawn(NULL, none, 1, no_info, 0, self, &out, ignored), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_spawn(program, none, -1, no_info, 0, self, &out, ignored), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_spawn(program, none, 1, wrong_info, 0, self, &out, ignored), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Comm_spawn(program, none, 1, no_info, 1, self, &out, ignored), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Comm_spawn(program, none, 1, no_info, 0, MPI_COMM_NULL, &out, ignored),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_spawn(program, none, 1, no_info, 0, self, NULL, ignored), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_spawn_multiple(0, &program, MPI_ARGVS_NULL, &one, &no_info, 0, self, &out,
                                        ignored),
                MPI_ERR_ARG);
    CHECK_ERROR(
        MPI_Comm_spawn_multiple(1, NULL, MPI_ARGVS_NULL, &one, &no_info, 0, self, &out, ignored),
        MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_spawn_multiple(1, &program, MPI_ARGVS_NULL, NULL, &no_info, 0, self, &out,
                                        ignored),
                MPI_ERR_ARG);
    // The error of one root is everybody's.
    CHECK_ERROR(MPI_Comm_spawn(rank == 1 ? NULL : program, none, 1, no_info, 1, MPI_COMM_WORLD,
                               &out, ignored),
                MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter));
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Comm_spawn(program, none, 1, no_info, 0, inter, &out, ignored), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_accept("x", no_info, 0, inter, &out), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_connect("x", no_info, 0, inter, &out), MPI_ERR_COMM);

    CHECK_ERROR(MPI_Open_port(wrong_info, port), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Open_port(no_info, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Close_port(NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Close_port("closed"), MPI_ERR_PORT);
    CHECK_ERROR(MPI_Comm_accept(NULL, no_info, 0, self, &out), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_accept("x", wrong_info, 0, self, &out), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Comm_accept("x", no_info, 7, self, &out), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Comm_connect(NULL, no_info, 0, self, &out), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_connect("x", no_info, 0, MPI_COMM_NULL, &out), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Publish_name(NULL, no_info, "x"), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Publish_name("x", no_info, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Lookup_name(NULL, no_info, port), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Lookup_name("x", no_info, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Unpublish_name(NULL, no_info, "x"), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_get_parent(NULL), MPI_ERR_ARG);
    MPI_Comm world = MPI_COMM_WORLD;
    CHECK_ERROR(MPI_Comm_disconnect(&world), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_join(0, NULL), MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_Comm_disconnect(&inter));
    return finish();
}
