// For tests of the tool information interface: variables by name.
#ifndef THRUM_TESTS_VARIABLES_H
#define THRUM_TESTS_VARIABLES_H
#include "world.h"

#include <string.h>

// A function of MPI_T that should return exactly this.
#define CHECK_CODE(call, code) CHECK_EQUAL(call, code)

static inline void start_tools(void) {
    int provided = -1;
    CHECK_CODE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    CHECK(provided >= MPI_THREAD_SINGLE);
}

static inline MPI_T_cvar_handle control(const char *name) {
    int index = -1, count = 0;
    MPI_T_cvar_handle handle;
    CHECK_CODE(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count), MPI_SUCCESS);
    CHECK(count >= 1);
    return handle;
}

static inline unsigned long long get_control(const char *name) {
    unsigned long long value = 0;
    MPI_T_cvar_handle handle = control(name);
    CHECK_CODE(MPI_T_cvar_read(handle, &value), MPI_SUCCESS);
    CHECK_CODE(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
    return value;
}

static inline void set_control(const char *name, unsigned long long value) {
    MPI_T_cvar_handle handle = control(name);
    CHECK_CODE(MPI_T_cvar_write(handle, &value), MPI_SUCCESS);
    CHECK_CODE(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
}

static MPI_T_pvar_session session;

// A handle in `session`, which is made when it is first needed; not started.
static inline MPI_T_pvar_handle measure(const char *name, int variable_class, MPI_Comm *comm) {
    int index = -1, count = 0;
    MPI_T_pvar_handle handle;
    if (session == MPI_T_PVAR_SESSION_NULL)
        CHECK_CODE(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_get_index(name, variable_class, &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_handle_alloc(session, index, comm, &handle, &count), MPI_SUCCESS);
    CHECK_EQUAL(count, 1);
    return handle;
}

// The same, started.
static inline MPI_T_pvar_handle counted(const char *name, int variable_class, MPI_Comm *comm) {
    MPI_T_pvar_handle handle = measure(name, variable_class, comm);
    CHECK_CODE(MPI_T_pvar_start(session, handle), MPI_SUCCESS);
    return handle;
}

static inline unsigned long long value_of(MPI_T_pvar_handle handle) {
    unsigned long long value = ~0ull;
    CHECK_CODE(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
    return value;
}
#endif
