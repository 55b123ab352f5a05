// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event" "The value of a performance variable in this class is an aggregated value
// that represents a sum of arguments processed during a specific event"
// ranks: 1 4
#include "files.h"
#include "variables.h"

int main(void) {
    start_with_file();
    start_tools();
    MPI_T_pvar_handle reads = counted("file_reads", MPI_T_PVAR_CLASS_COUNTER, NULL),
                      writes = counted("file_writes", MPI_T_PVAR_CLASS_COUNTER, NULL),
                      together = counted("file_accesses_together", MPI_T_PVAR_CLASS_COUNTER, NULL),
                      in = counted("file_bytes_read", MPI_T_PVAR_CLASS_AGGREGATE, NULL),
                      out = counted("file_bytes_written", MPI_T_PVAR_CLASS_AGGREGATE, NULL);
    int values[30] = {0};
    MPI_Request request;
    MPI_File file = open_new();
    view_in_turn(file, MPI_INT, 5);
    // Every form of writing.
    CHECK_SUCCESS(MPI_File_write_at(file, 0, values, 5, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_write(file, values, 5, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_iwrite(file, values, 5, MPI_INT, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value_of(writes), 3);
    CHECK_EQUAL(value_of(out), 15 * sizeof(int));
    CHECK_EQUAL(value_of(together), 0);
    CHECK_SUCCESS(MPI_File_write_all(file, values, 10, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_iwrite_all(file, values, 10, MPI_INT, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_File_write_all_begin(file, values, 5, MPI_INT));
    CHECK_SUCCESS(MPI_File_write_all_end(file, values, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value_of(writes), 6);
    CHECK_EQUAL(value_of(out), 40 * sizeof(int));
    // Interleaved: done together where there are others.
    CHECK_EQUAL(value_of(together), size > 1 ? 3 : 0);
    barrier();
    // Bytes that are not there are not read.
    CHECK_SUCCESS(MPI_File_seek(file, 30, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_read(file, values, 20, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value_of(in), 5 * sizeof(int));
    CHECK_SUCCESS(MPI_File_iread_at(file, 0, values, 3, MPI_INT, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value_of(in), 8 * sizeof(int));
    CHECK_EQUAL(value_of(reads), 2);
    CHECK_EQUAL(value_of(writes), 6);
    close_file(&file);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}
