// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event" "The value of a performance variable in this class is an aggregated value
// that represents a sum of arguments processed during a specific event"
// ranks: 1 2 5
#include "variables.h"

static MPI_T_pvar_handle of_counter(const char *name) {
    return counted(name, MPI_T_PVAR_CLASS_COUNTER, NULL);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    int *memory, value = 7, other, next = (rank + 1) % size;
    MPI_Win win;
    MPI_Request request;
    MPI_Datatype column;
    CHECK_SUCCESS(MPI_Win_allocate(40 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                                   &memory, &win));
    MPI_T_pvar_handle puts = of_counter("rma_puts"), gets = of_counter("rma_gets"),
                      accumulates = of_counter("rma_accumulates"),
                      flushes = of_counter("rma_flushes"), locks = of_counter("rma_locks"),
                      bytes = counted("rma_bytes", MPI_T_PVAR_CLASS_AGGREGATE, NULL);
    CHECK_SUCCESS(MPI_Type_vector(3, 1, 2, MPI_INT, &column));
    CHECK_SUCCESS(MPI_Type_commit(&column));
    CHECK_SUCCESS(MPI_Win_lock_all(0, win));
    int three[3] = {1, 2, 3};
    for (int i = 0; i < 10; ++i)
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, next, i, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Put(three, 3, MPI_INT, next, 0, 1, column, win));
    CHECK_SUCCESS(MPI_Rput(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    CHECK_EQUAL(value_of(puts), 12);
    CHECK_EQUAL(value_of(bytes), 14 * sizeof(int));
    CHECK_SUCCESS(MPI_Get(three, 3, MPI_INT, next, 0, 3, MPI_INT, win));
    CHECK_EQUAL(value_of(gets), 1);
    CHECK_SUCCESS(MPI_Accumulate(&value, 1, MPI_INT, next, 20, 1, MPI_INT, MPI_SUM, win));
    CHECK_SUCCESS(MPI_Fetch_and_op(&value, &other, MPI_INT, next, 20, MPI_SUM, win));
    CHECK_SUCCESS(MPI_Get_accumulate(NULL, 0, MPI_INT, &other, 1, MPI_INT, next, 20, 1, MPI_INT,
                                     MPI_NO_OP, win));
    CHECK_SUCCESS(MPI_Compare_and_swap(&value, &value, &other, MPI_INT, next, 20, win));
    CHECK_EQUAL(value_of(accumulates), 4);
    CHECK_EQUAL(value_of(bytes), 21 * sizeof(int));
    CHECK_SUCCESS(MPI_Win_flush(next, win));
    CHECK_SUCCESS(MPI_Win_flush_all(win));
    CHECK_SUCCESS(MPI_Win_flush_local(next, win));
    CHECK_SUCCESS(MPI_Win_flush_local_all(win));
    CHECK_EQUAL(value_of(flushes), 4);
    CHECK_SUCCESS(MPI_Win_unlock_all(win));
    CHECK_EQUAL(value_of(locks), 1);
    // An erroneous operation is none.
    CHECK_SUCCESS(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_EQUAL(value_of(puts), 12);
    CHECK_SUCCESS(MPI_Type_free(&column));
    CHECK_SUCCESS(MPI_Win_free(&win));
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}
