// MPI 5.0 section 9.5.1: MPI_LASTUSEDCODE "is updated to reflect the maximum error class value"
// when a class is removed; "It is erroneous to remove an error class when its associated error
// codes have not been removed before"; "If MPI_ERROR_STRING is called when no string has been set,
// it will return a empty string"; a new string "will replace the old string".
// ranks: 1 2
#include "messages.h"

static int last_used_code(void) {
    int *value, flag = 0;
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    CHECK(flag);
    return *value;
}

static void check_text(int code, const char *expected) {
    char text[MPI_MAX_ERROR_STRING];
    int length = -1;
    CHECK_SUCCESS(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, expected) == 0 && length == (int)strlen(expected));
}

int main(void) {
    start_with_errors_returned();
    int before = last_used_code(), class, code, found;
    CHECK(before >= MPI_ERR_LASTCODE);
    CHECK_SUCCESS(MPI_Add_error_class(&class));
    CHECK(class > MPI_ERR_LASTCODE && last_used_code() >= class);
    check_text(class, "");
    CHECK_SUCCESS(MPI_Add_error_string(class, "out of tea"));
    CHECK_SUCCESS(MPI_Add_error_string(class, "out of coffee"));
    check_text(class, "out of coffee");
    CHECK_SUCCESS(MPI_Add_error_code(class, &code));
    check_text(code, "");
    CHECK_SUCCESS(MPI_Add_error_string(code, "none left"));
    check_text(code, "none left");
    CHECK_SUCCESS(MPI_Error_class(code, &found));
    CHECK_EQUAL(found, class);

    CHECK_ERROR(MPI_Remove_error_class(class), MPI_ERR_OTHER); // it has a code, with a string
    CHECK_ERROR(MPI_Remove_error_code(code), MPI_ERR_OTHER);
    CHECK_SUCCESS(MPI_Remove_error_string(code));
    check_text(code, "");
    CHECK_SUCCESS(MPI_Remove_error_code(code));
    CHECK_SUCCESS(MPI_Remove_error_string(class));
    CHECK_SUCCESS(MPI_Remove_error_class(class));
    CHECK_EQUAL(last_used_code(), before);
    CHECK_ERROR(MPI_Remove_error_class(class), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Add_error_code(class, &code), MPI_ERR_ARG);
    // The classes, codes and strings of MPI stay as they are.
    CHECK_ERROR(MPI_Remove_error_class(MPI_ERR_RANK), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Add_error_string(MPI_ERR_RANK, "mine"), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Remove_error_string(MPI_ERR_RANK), MPI_ERR_ARG);
    return finish();
}
