// MPI 5.0 section 15.3.10: "In the latter case, the return code indicates the reason for not
// completing the routine."
// ranks: 1
#include "variables.h"

int main(void) {
    start_tools();
    MPI_T_cvar_handle spin = control("spin_limit"), stale = spin;
    int minus = -1, value = 0;
    CHECK_CODE(MPI_T_cvar_write(spin, &minus), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_cvar_write(spin, NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_cvar_read(spin, NULL), MPI_T_ERR_INVALID);
    value = 40;
    CHECK_CODE(MPI_T_cvar_write(spin, &value), MPI_SUCCESS);
    value = 0;
    CHECK_CODE(MPI_T_cvar_read(spin, &value), MPI_SUCCESS);
    CHECK_EQUAL(value, 40);
    CHECK_CODE(MPI_T_cvar_handle_free(&spin), MPI_SUCCESS);
    CHECK_CODE(MPI_T_cvar_read(stale, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_cvar_write(stale, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_cvar_handle_free(&stale), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_cvar_handle_free(&spin), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_cvar_handle_free(NULL), MPI_T_ERR_INVALID);
    int count;
    CHECK_CODE(MPI_T_cvar_handle_alloc(9999, NULL, &spin, &count), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_cvar_handle_alloc(-1, NULL, &spin, &count), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_cvar_handle_alloc(0, NULL, NULL, &count), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_cvar_get_num(NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_cvar_get_index(NULL, &count), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_cvar_get_index("spin_limit", NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
