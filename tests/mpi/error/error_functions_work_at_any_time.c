// MPI 5.0 section 9.5.1: the procedures that add and remove error classes, codes, or strings "are
// some of the few MPI procedures that may be called before MPI is initialized or after MPI is
// finalized"; so are MPI_ERROR_CLASS and MPI_ERROR_STRING.
// ranks: 1 3
#include "world.h"

static void check_text(int code, const char *expected) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || strcmp(text, expected) != 0)
        exit(3);
}

int main(int argc, char **argv) {
    int class, code, found = -1;
    if (MPI_Add_error_class(&class) || MPI_Add_error_code(class, &code) ||
        MPI_Add_error_string(code, "early") || MPI_Error_class(code, &found) || found != class)
        return 2;
    start(&argc, &argv);
    check_text(code, "early");
    CHECK_SUCCESS(MPI_Add_error_string(code, "meanwhile"));
    finish();
    check_text(code, "meanwhile");
    if (MPI_Remove_error_string(code) || MPI_Remove_error_code(code) ||
        MPI_Remove_error_class(class) || MPI_Add_error_class(&class))
        return 4;
    return 0;
}
