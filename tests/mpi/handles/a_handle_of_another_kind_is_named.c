// A communicator passed for a group is an error that says so, whether the handle is
// a constant or that of an object.
// ranks: 1
#include "world.h"

static void check_string(MPI_Group wrong, const char *expected) {
    const int members[] = {0};
    MPI_Group group;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = -1, code = MPI_Group_incl(wrong, 1, members, &group);
    CHECK_ERROR(code, MPI_ERR_GROUP);
    CHECK_SUCCESS(MPI_Error_string(code, text, &length));
    CHECK_EQUAL(strlen(text), length);
    if (!strstr(text, expected)) {
        fprintf(stderr, "\"%s\" does not say \"%s\"\n", text, expected);
        CHECK(0);
    }
}

int main(void) {
    start(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm other;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    check_string((MPI_Group)MPI_COMM_WORLD, "group is MPI_COMM_WORLD, which is not a group");
    check_string((MPI_Group)other, "which is a communicator, not a group");
    check_string(MPI_GROUP_NULL, "group is MPI_GROUP_NULL");
    CHECK_SUCCESS(MPI_Comm_free(&other));
    return finish();
}
