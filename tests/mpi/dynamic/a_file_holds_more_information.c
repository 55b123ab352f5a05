// MPI 5.0 section 11.8.4: "file: Value is the name of a file in which additional information is
// specified. The format of the filename and internal format of the file are determined by the
// implementation.": here lines "key = value", for keys that the info itself has not.
// ranks: 1 2
// ends: n + 2
#include "dynamic.h"

#include <unistd.h>

static char name[64];

static void write_lines(const char *lines) {
    FILE *file = fopen(name, "w");
    CHECK(file && fputs(lines, file) >= 0 && fclose(file) == 0);
}

static int spawn(char *program, MPI_Info info, MPI_Comm *children) {
    char *arguments[] = {"child", NULL};
    int codes[4];
    return MPI_Comm_spawn(program, arguments, 4, info, 0, MPI_COMM_WORLD, children, codes);
}

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        int *number, flag;
        char here[32];
        CHECK_EQUAL(size, 2);
        CHECK(getcwd(here, sizeof here) && strcmp(here, "/usr") == 0);
        CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag));
        CHECK(flag);
        CHECK_EQUAL(*number, 8);
        return part_from(&parent);
    }
    MPI_Comm children;
    MPI_Info info;
    snprintf(name, sizeof name, "/tmp/thrum-spawn-file-%d-%d", (int)getpid(), rank);
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "file", name));
    CHECK_SUCCESS(MPI_Info_set(info, "appnum", "8"));
    write_lines("# what the children are\n\n  soft = 1:2  \nwdir=/usr\nappnum = 7\n");
    CHECK_SUCCESS(spawn(argv[0], info, &children));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    // A file whose second line is not "key = value", then a missing file.
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    write_lines("soft = 1:2\nhere and there\n");
    CHECK_ERROR(spawn(argv[0], info, &children), MPI_ERR_INFO_VALUE);
    unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ERROR(spawn(argv[0], info, &children), MPI_ERR_SPAWN);
    CHECK_SUCCESS(MPI_Info_set(info, "file", "/tmp"));
    CHECK_ERROR(spawn(argv[0], info, &children), MPI_ERR_SPAWN);
    CHECK_SUCCESS(MPI_Info_free(&info));
    return finish();
}
