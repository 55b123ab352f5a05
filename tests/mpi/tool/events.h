// For tests of events: a registration by name.
#ifndef THRUM_TESTS_EVENTS_H
#define THRUM_TESTS_EVENTS_H
#include "variables.h"

static inline MPI_T_event_registration registered(const char *name, MPI_Comm *comm) {
    int index = -1;
    MPI_T_event_registration registration;
    CHECK_CODE(MPI_T_event_get_index(name, &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_handle_alloc(index, comm, MPI_INFO_NULL, &registration), MPI_SUCCESS);
    return registration;
}

static inline void call_at(MPI_T_event_registration registration, MPI_T_cb_safety safety,
                           MPI_T_event_cb_function *function, void *data) {
    CHECK_CODE(MPI_T_event_register_callback(registration, safety, MPI_INFO_NULL, data, function),
               MPI_SUCCESS);
}
#endif
