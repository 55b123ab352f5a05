// MPI 5.0 section 14.4.2: "int MPI_File_read_at_c(MPI_File fh, MPI_Offset offset, void *buf,
// MPI_Count count, MPI_Datatype datatype, MPI_Status *status)" and its kin.
// ranks: 1 3
#include "files.h"

static int data[4], back[4];

static void check(MPI_Status *status) {
    MPI_Count count;
    CHECK_SUCCESS(MPI_Get_count_c(status, MPI_INT, &count));
    CHECK_EQUAL(count, 4);
}

#define EXPECT(part, call)                                                                         \
    do {                                                                                           \
        CHECK_SUCCESS(call);                                                                       \
        part;                                                                                      \
        check(&status);                                                                            \
    } while (0)
#define WAIT CHECK_SUCCESS(MPI_Wait(&request, &status))

int main(void) {
    start_with_file();
    MPI_File f = open_new();
    MPI_Status status;
    MPI_Request request;
    MPI_Count four = 4;
    CHECK_SUCCESS(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < 4; ++i)
        data[i] = 10 * rank + i;
    MPI_Offset at = 4 * rank;
    EXPECT((void)0, MPI_File_write_at_c(f, at, data, four, MPI_INT, &status));
    EXPECT((void)0, MPI_File_write_at_all_c(f, at, data, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iwrite_at_c(f, at, data, four, MPI_INT, &request));
    EXPECT(WAIT, MPI_File_iwrite_at_all_c(f, at, data, four, MPI_INT, &request));
    CHECK_SUCCESS(MPI_File_seek(f, 1000 + at, MPI_SEEK_SET));
    EXPECT((void)0, MPI_File_write_c(f, data, four, MPI_INT, &status));
    EXPECT((void)0, MPI_File_write_all_c(f, data, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iwrite_c(f, data, four, MPI_INT, &request));
    EXPECT(WAIT, MPI_File_iwrite_all_c(f, data, four, MPI_INT, &request));
    barrier();
    CHECK_SUCCESS(MPI_File_seek_shared(f, 2000, MPI_SEEK_SET));
    EXPECT((void)0, MPI_File_write_shared_c(f, data, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iwrite_shared_c(f, data, four, MPI_INT, &request));
    EXPECT((void)0, MPI_File_write_ordered_c(f, data, four, MPI_INT, &status));
    EXPECT(CHECK_SUCCESS(MPI_File_write_all_end(f, data, &status)),
           MPI_File_write_all_begin_c(f, data, four, MPI_INT));
    EXPECT(CHECK_SUCCESS(MPI_File_write_at_all_end(f, data, &status)),
           MPI_File_write_at_all_begin_c(f, at, data, four, MPI_INT));
    EXPECT(CHECK_SUCCESS(MPI_File_write_ordered_end(f, data, &status)),
           MPI_File_write_ordered_begin_c(f, data, four, MPI_INT));
    barrier();
    EXPECT((void)0, MPI_File_read_at_c(f, at, back, four, MPI_INT, &status));
    CHECK_EQUAL(memcmp(data, back, sizeof data), 0);
    EXPECT((void)0, MPI_File_read_at_all_c(f, at, back, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iread_at_c(f, at, back, four, MPI_INT, &request));
    EXPECT(WAIT, MPI_File_iread_at_all_c(f, at, back, four, MPI_INT, &request));
    CHECK_EQUAL(memcmp(data, back, sizeof data), 0);
    CHECK_SUCCESS(MPI_File_seek(f, 0, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    EXPECT((void)0, MPI_File_read_c(f, back, four, MPI_INT, &status));
    EXPECT((void)0, MPI_File_read_all_c(f, back, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iread_c(f, back, four, MPI_INT, &request));
    EXPECT(WAIT, MPI_File_iread_all_c(f, back, four, MPI_INT, &request));
    EXPECT((void)0, MPI_File_read_shared_c(f, back, four, MPI_INT, &status));
    EXPECT(WAIT, MPI_File_iread_shared_c(f, back, four, MPI_INT, &request));
    EXPECT((void)0, MPI_File_read_ordered_c(f, back, four, MPI_INT, &status));
    EXPECT(CHECK_SUCCESS(MPI_File_read_all_end(f, back, &status)),
           MPI_File_read_all_begin_c(f, back, four, MPI_INT));
    EXPECT(CHECK_SUCCESS(MPI_File_read_at_all_end(f, back, &status)),
           MPI_File_read_at_all_begin_c(f, at, back, four, MPI_INT));
    CHECK_EQUAL(memcmp(data, back, sizeof data), 0);
    EXPECT(CHECK_SUCCESS(MPI_File_read_ordered_end(f, back, &status)),
           MPI_File_read_ordered_begin_c(f, back, four, MPI_INT));
    close_file(&f);
    return finish();
}
