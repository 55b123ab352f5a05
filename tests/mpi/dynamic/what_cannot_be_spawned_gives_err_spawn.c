// MPI 5.0 section 11.8.2: "If it is unable to spawn maxprocs processes, it raises an error of class
// MPI_ERR_SPAWN." At all parents.
// ranks: 1 3
#include "dynamic.h"

#include <unistd.h>

static void refused(const char *command, const char *key, const char *value, int expected) {
    MPI_Comm children = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    if (key) {
        MPI_Info_create(&info);
        MPI_Info_set(info, key, value);
    }
    int code = MPI_Comm_spawn(command, MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &children,
                              MPI_ERRCODES_IGNORE);
    int class;
    MPI_Error_class(code, &class);
    CHECK_EQUAL(class, expected);
    CHECK(children == MPI_COMM_NULL);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char plain[64];
    snprintf(plain, sizeof plain, "/tmp/thrum-spawn-%d-%d", (int)getpid(), rank);
    FILE *file = fopen(plain, "w");
    fputs("text\n", file);
    fclose(file);
    refused("/no/such/program", NULL, NULL, MPI_ERR_SPAWN);
    refused("/tmp", NULL, NULL, MPI_ERR_SPAWN);
    refused(plain, NULL, NULL, MPI_ERR_SPAWN);
    refused("no-such-name", NULL, NULL, MPI_ERR_SPAWN);
    refused("", NULL, NULL, MPI_ERR_SPAWN);
    refused(argv[0], "host", "elsewhere.example", MPI_ERR_SPAWN);
    refused(argv[0], "arch", "pdp11", MPI_ERR_SPAWN);
    refused(argv[0], "wdir", "/no/such/directory", MPI_ERR_SPAWN);
    refused(argv[0], "soft", "3:9", MPI_ERR_SPAWN);
    refused(argv[0], "soft", "few", MPI_ERR_INFO_VALUE);
    refused(argv[0], "mpi_initial_errhandler", "mine", MPI_ERR_INFO_VALUE);
    refused(argv[0], "appnum", "first", MPI_ERR_INFO_VALUE);
    unlink(plain);
    return finish();
}
