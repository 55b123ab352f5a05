// MPI 5.0 section 15.3.6: "If it is not possible to change the variable at the time the call is
// made, the function returns either MPI_T_ERR_CVAR_SET_NOT_NOW, if there may be a later time at
// which the variable could be set, or MPI_T_ERR_CVAR_SET_NEVER, if the variable cannot be set for
// the remainder of the application's execution."
// ranks: 2
#include "variables.h"

int main(void) {
    start_tools();
    int num, constants = 0;
    CHECK_CODE(MPI_T_cvar_get_num(&num), MPI_SUCCESS);
    for (int i = 0; i < num; ++i) {
        int scope, count = 0;
        char before[4096], after[4096];
        memset(before, 0, sizeof before);
        memset(after, 0, sizeof after);
        MPI_T_cvar_handle handle;
        CHECK_CODE(MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &scope),
                   MPI_SUCCESS);
        CHECK_CODE(MPI_T_cvar_handle_alloc(i, NULL, &handle, &count), MPI_SUCCESS);
        CHECK_CODE(MPI_T_cvar_read(handle, before), MPI_SUCCESS);
        if (scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY) {
            unsigned long long value = 3;
            CHECK_CODE(MPI_T_cvar_write(handle, &value), MPI_T_ERR_CVAR_SET_NEVER);
            ++constants;
        } else { // to what it is
            CHECK_CODE(MPI_T_cvar_write(handle, before), MPI_SUCCESS);
        }
        CHECK_CODE(MPI_T_cvar_read(handle, after), MPI_SUCCESS);
        CHECK(memcmp(before, after, sizeof before) == 0);
        CHECK_CODE(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
    }
    CHECK(constants > 0 && constants < num);
    start(NULL, NULL);
    MPI_Finalize();
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
