// MPI 5.0 section 15.3.7: "A performance variable in this class represents a value that describes
// the maximum observed utilization of a resource. The value of a variable of this class is
// nonnegative and grows monotonically from the initialization or reset of the variable." "The
// starting value is the current utilization level of the resource at the time that the variable is
// started or reset."
// ranks: 2
#include "variables.h"

static void receive(int count) {
    int number;
    for (int i = 0; i < count; ++i)
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_messages(int count) {
    if (rank == 0)
        for (int i = 0; i < count; ++i)
            MPI_Send(&rank, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    const char name[] = "unexpected_messages";
    MPI_T_pvar_handle level = measure(name, MPI_T_PVAR_CLASS_LEVEL, NULL);
    MPI_T_pvar_handle bytes = measure("unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL, NULL);
    MPI_T_pvar_handle share = measure("unexpected_bytes", MPI_T_PVAR_CLASS_PERCENTAGE, NULL);
    MPI_T_pvar_handle mark = measure(name, MPI_T_PVAR_CLASS_HIGHWATERMARK, NULL);
    MPI_T_pvar_handle other = measure(name, MPI_T_PVAR_CLASS_HIGHWATERMARK, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    wait_for_messages(5);
    if (rank == 1) {
        double part = -1;
        CHECK_EQUAL(value_of(level), 5);
        CHECK(value_of(bytes) >= 5 * sizeof(int));
        CHECK_CODE(MPI_T_pvar_read(session, share, &part), MPI_SUCCESS);
        CHECK(part > 0 && part < 0.01);
        CHECK_EQUAL(value_of(mark), 0); // not started
        CHECK_CODE(MPI_T_pvar_start(session, mark), MPI_SUCCESS);
        CHECK_EQUAL(value_of(mark), 5); // the level then
        receive(3);
        CHECK_EQUAL(value_of(level), 2);
        CHECK_EQUAL(value_of(mark), 5);
        CHECK_CODE(MPI_T_pvar_start(session, other), MPI_SUCCESS);
        CHECK_EQUAL(value_of(other), 2);
        CHECK_CODE(MPI_T_pvar_reset(session, mark), MPI_SUCCESS);
        CHECK_EQUAL(value_of(mark), 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    wait_for_messages(10);
    if (rank == 1) {
        receive(12);
        CHECK_EQUAL(value_of(level), 0);
        CHECK_EQUAL(value_of(bytes), 0);
        CHECK_CODE(MPI_T_pvar_reset(session, mark), MPI_SUCCESS);
        CHECK_EQUAL(value_of(mark), 0);
        CHECK_EQUAL(value_of(other), 12); // another handle's reset does not change it
        CHECK_CODE(MPI_T_pvar_stop(session, other), MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    wait_for_messages(20);
    if (rank == 1) {
        receive(20);
        CHECK_EQUAL(value_of(mark), 20);
        CHECK_EQUAL(value_of(other), 12); // stopped
        unsigned long long value = 0;
        CHECK_CODE(MPI_T_pvar_readreset(session, mark, &value), MPI_SUCCESS);
        CHECK_EQUAL(value, 20);
        CHECK_EQUAL(value_of(mark), 0);
        value = 3;
        CHECK_CODE(MPI_T_pvar_write(session, mark, &value), MPI_SUCCESS);
        CHECK_EQUAL(value_of(mark), 3);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
