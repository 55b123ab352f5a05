// The paper, section 6.1: "The cBSP_nsync scheme sends no messages other than those containing the
// actual data." Told by bsp_get_counters() and by the variables of MPI_T, also those of the
// collective operations of MPI; and between node processes by the number of all packets.
// ranks: 2 8
#include "check.h"

#include <thrum/bsp.h>

enum { supersteps = 50 };

static int value;

static MPI_T_pvar_session session;

static MPI_T_pvar_handle variable(const char *name) {
    int index, count;
    MPI_T_pvar_handle handle;
    CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS);
    MPI_T_pvar_start(session, handle);
    return handle;
}

static unsigned long long value_of(MPI_T_pvar_handle handle) {
    unsigned long long n = 0;
    CHECK(MPI_T_pvar_read(session, handle, &n) == MPI_SUCCESS);
    return n;
}

int main(void) {
    int provided;
    bsp_begin(bsp_nprocs());
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle synchronisations = variable("bsp_synchronisations");
    MPI_T_pvar_handle operations = variable("bsp_operations");
    MPI_T_pvar_handle rounds = variable("collective_rounds"), packets = variable("bsp_packets");
    bsp_sync(); // all count from here on

    struct bsp_counters before, after;
    int me = bsp_pid(), next = (me + 1) % bsp_nprocs();
    bsp_get_counters(&before);
    unsigned long long synchronisations_before = value_of(synchronisations);
    unsigned long long operations_before = value_of(operations), rounds_before = value_of(rounds);
    unsigned long long packets_before = value_of(packets);
    for (int s = 0; s < supersteps; ++s) {
        cbsp_send(next, &value, &s, sizeof s, NULL);
        cbsp_nsync(1);
        CHECK_EQUAL(value, s);
    }
    bsp_get_counters(&after);
    CHECK_EQUAL(after.supersteps_counted - before.supersteps_counted, supersteps);
    CHECK_EQUAL(after.operations - before.operations, supersteps);
    CHECK_EQUAL(after.synchronisations - before.synchronisations, 0);
    CHECK_EQUAL(value_of(synchronisations) - synchronisations_before, 0);
    CHECK_EQUAL(value_of(operations) - operations_before, supersteps);
    CHECK_EQUAL(value_of(rounds) - rounds_before, 0);
    // At most one rank of a node process has its neighbour elsewhere.
    CHECK(value_of(packets) - packets_before <= supersteps);
    CHECK(after.packets - before.packets <= supersteps);
    bsp_sync(); // all have looked
    bsp_get_counters(&after);
    synchronisations_before = value_of(synchronisations);

    for (int s = 0; s < supersteps; ++s) {
        cbsp_send(next, &value, &s, sizeof s, NULL);
        cbsp_gsync();
        CHECK_EQUAL(value, s);
    }
    before = after;
    bsp_get_counters(&after);
    CHECK_EQUAL(after.supersteps_global - before.supersteps_global, supersteps);
    CHECK_EQUAL(after.synchronisations - before.synchronisations, supersteps);
    CHECK_EQUAL(value_of(synchronisations) - synchronisations_before, supersteps);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    bsp_end();
    return 0;
}
