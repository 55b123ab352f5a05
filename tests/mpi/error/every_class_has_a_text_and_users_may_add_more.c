// ranks: 1
// MPI 5.0 sections 9.4 and 9.5: MPI_Error_string returns a text for every class;
// MPI_Add_error_class, _code and _string make new ones, and MPI_LASTUSEDCODE follows.
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char text[MPI_MAX_ERROR_STRING];
    int length, class, code, new_class, flag, *last;
    for (int known = MPI_SUCCESS; known <= MPI_ERR_ABI; known++) {
        length = 0;
        CHECK_SUCCESS(MPI_Error_string(known, text, &length));
        CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && (int)strlen(text) == length);
        CHECK_SUCCESS(MPI_Error_class(known, &class));
        CHECK_EQUAL(class, known);
    }
    CHECK_SUCCESS(MPI_Add_error_class(&new_class));
    CHECK(new_class > MPI_ERR_LASTCODE);
    CHECK_SUCCESS(MPI_Add_error_code(new_class, &code));
    CHECK_SUCCESS(MPI_Add_error_string(code, "the tea is cold"));
    CHECK_SUCCESS(MPI_Error_string(code, text, &length));
    CHECK(!strcmp(text, "the tea is cold") && length == 15);
    CHECK_SUCCESS(MPI_Error_class(code, &class));
    CHECK_EQUAL(class, new_class);
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= code);
    return finish();
}
