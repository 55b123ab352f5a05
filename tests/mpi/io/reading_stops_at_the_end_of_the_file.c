// MPI 5.0 section 14.4.1: "When reading, a program can detect the end of the file by noting that
// the amount of data read is less than the amount requested."
// ranks: 1 4
#include "files.h"

static void expect(const MPI_Status *status, MPI_Datatype type, int count, int elements) {
    int found;
    CHECK_EQUAL(count_in(status, type), count);
    CHECK_SUCCESS(MPI_Get_elements(status, type, &found));
    CHECK_EQUAL(found, elements);
}

int main(void) {
    start_with_file();
    int numbers[11];
    for (int i = 0; i < 11; ++i)
        numbers[i] = i;
    write_outside_once(numbers, sizeof numbers);
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                MPI_INFO_NULL, &file));
    MPI_Datatype four;
    CHECK_SUCCESS(MPI_Type_contiguous(4, MPI_INT, &four));
    CHECK_SUCCESS(MPI_Type_commit(&four));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    int back[40];
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_read(file, back, 2, four, &status));
    expect(&status, four, 2, 8);
    CHECK_EQUAL(position_of(file), 8);
    memset(back, -1, sizeof back);
    CHECK_SUCCESS(MPI_File_read(file, back, 2, four, &status));
    expect(&status, four, MPI_UNDEFINED, 3);
    CHECK_EQUAL(back[2], 10);
    CHECK_EQUAL(back[3], -1);
    CHECK_EQUAL(position_of(file), 11);
    CHECK_SUCCESS(MPI_File_read(file, back, 1, four, &status));
    expect(&status, four, 0, 0);
    CHECK_SUCCESS(MPI_File_read_at(file, 1000, back, 1, four, &status));
    expect(&status, four, 0, 0);

    CHECK_SUCCESS(MPI_File_read_at_all(file, 4 * rank, back, 1, four, &status));
    int left = 11 - 4 * rank;
    int elements = left > 4 ? 4 : left < 0 ? 0 : left;
    expect(&status, four, elements % 4 ? MPI_UNDEFINED : elements / 4, elements);
    MPI_Request request;
    CHECK_SUCCESS(MPI_File_iread_at(file, 9, back, 1, four, &request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    expect(&status, four, MPI_UNDEFINED, 2);
    CHECK_SUCCESS(MPI_File_seek(file, 10, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_read_all_begin(file, back, 1, four));
    CHECK_SUCCESS(MPI_File_read_all_end(file, back, &status));
    expect(&status, four, MPI_UNDEFINED, 1);

    // The end lies in a hole, or in the middle of an etype.
    view_in_turn(file, MPI_INT, 1);
    int mine = (11 - rank + size - 1) / size;
    CHECK_SUCCESS(MPI_File_read(file, back, 40, MPI_INT, &status));
    expect(&status, MPI_INT, mine, mine);
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_SET));
    CHECK_SUCCESS(MPI_File_read_all(file, back, 40, MPI_INT, &status));
    expect(&status, MPI_INT, mine, mine);
    CHECK_EQUAL(position_of(file), mine);
    for (int i = 0; i < mine; ++i)
        CHECK_EQUAL(back[i], i * size + rank);
    CHECK_SUCCESS(MPI_File_set_view(file, 1, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_read(file, back, 10, MPI_DOUBLE, &status));
    expect(&status, MPI_DOUBLE, MPI_UNDEFINED, MPI_UNDEFINED); // 43 bytes
    CHECK_EQUAL(count_in(&status, MPI_BYTE), 43);
    CHECK_SUCCESS(MPI_Type_free(&four));
    close_file(&file);
    return finish();
}
