// MPI 5.0 section 15.3.10: "Regardless of whether the return code is MPI_SUCCESS or indicates that
// the procedure abnormally terminated, the MPI process continues normal execution and does not
// invoke any MPI error handler." "All return codes with the prefix MPI_T_ERR_ must be unique values
// and cannot overlap with any error codes or error classes returned by the MPI implementation. They
// must also satisfy 0 = MPI_SUCCESS < MPI_T_ERR_XXX ≤ MPI_ERR_LASTCODE."
// ranks: 1
#include "variables.h"

static int calls;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
}

int main(void) {
    int num;
    CHECK_CODE(MPI_T_cvar_get_num(&num), MPI_T_ERR_NOT_INITIALIZED);
    start(NULL, NULL);
    MPI_Errhandler handler;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    CHECK_CODE(MPI_T_cvar_get_num(&num), MPI_T_ERR_NOT_INITIALIZED);
    start_tools();
    CHECK_CODE(MPI_T_cvar_get_index("none", &num), MPI_T_ERR_INVALID_NAME);
    CHECK_EQUAL(calls, 0);
    const int codes[] = {MPI_T_ERR_CANNOT_INIT,
                         MPI_T_ERR_NOT_ACCESSIBLE,
                         MPI_T_ERR_NOT_INITIALIZED,
                         MPI_T_ERR_NOT_SUPPORTED,
                         MPI_T_ERR_MEMORY,
                         MPI_T_ERR_INVALID,
                         MPI_T_ERR_INVALID_INDEX,
                         MPI_T_ERR_INVALID_ITEM,
                         MPI_T_ERR_INVALID_SESSION,
                         MPI_T_ERR_INVALID_HANDLE,
                         MPI_T_ERR_INVALID_NAME,
                         MPI_T_ERR_OUT_OF_HANDLES,
                         MPI_T_ERR_OUT_OF_SESSIONS,
                         MPI_T_ERR_CVAR_SET_NOT_NOW,
                         MPI_T_ERR_CVAR_SET_NEVER,
                         MPI_T_ERR_PVAR_NO_WRITE,
                         MPI_T_ERR_PVAR_NO_STARTSTOP,
                         MPI_T_ERR_PVAR_NO_ATOMIC};
    int count = sizeof codes / sizeof *codes;
    for (int i = 0; i < count; ++i) {
        char text[MPI_MAX_ERROR_STRING];
        int error_class = -1, length = 0;
        CHECK(codes[i] > MPI_SUCCESS && codes[i] <= MPI_ERR_LASTCODE);
        for (int k = 0; k < i; ++k)
            CHECK(codes[i] != codes[k]);
        CHECK_SUCCESS(MPI_Error_class(codes[i], &error_class));
        CHECK_EQUAL(error_class, codes[i]);
        CHECK_SUCCESS(MPI_Error_string(codes[i], text, &length));
        CHECK(length > 0);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    CHECK_EQUAL(calls, 0);
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    MPI_Finalize();
    return 0;
}
