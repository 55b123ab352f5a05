// MPI 5.0 section 14.4.1: "The layout of data in memory corresponding to buf, count, datatype is
// interpreted the same way as in MPI communication functions". Also with absolute addresses.
// ranks: 1 4
#include "files.h"

enum { kBlocks = 700 };

typedef struct {
    char tag;
    int number;
    double real;
} Record;

static Record out[kBlocks], in[kBlocks];

int main(void) {
    start_with_file();
    MPI_File file = open_new();
    MPI_Datatype record, resized, filetype;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(Record, number), offsetof(Record, real)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    CHECK_SUCCESS(MPI_Type_create_struct(2, lengths, places, types, &record));
    CHECK_SUCCESS(MPI_Type_create_resized(record, 0, sizeof(Record), &resized));
    CHECK_SUCCESS(MPI_Type_commit(&resized));
    for (int i = 0; i < kBlocks; ++i)
        out[i] = (Record){'x', rank * 10000 + i, i / 8.0};
    // In the file: 12 bytes each, 5 in a row, then those of the others.
    MPI_Datatype bytes;
    CHECK_SUCCESS(MPI_Type_contiguous(60, MPI_BYTE, &bytes));
    CHECK_SUCCESS(MPI_Type_create_resized(bytes, 0, 61 * size, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_File_set_view(file, 61 * rank, MPI_BYTE, filetype, "native", MPI_INFO_NULL));
    for (int way = 0; way < 4; ++way) {
        MPI_Status status;
        MPI_Request request;
        memset(in, 0, sizeof in);
        if (way == 0) {
            CHECK_SUCCESS(MPI_File_write_at(file, 0, out, kBlocks, resized, &status));
            CHECK_SUCCESS(MPI_File_read_at(file, 0, in, kBlocks, resized, &status));
        } else if (way == 1) {
            CHECK_SUCCESS(MPI_File_write_at_all(file, 0, out, kBlocks, resized, &status));
            CHECK_SUCCESS(MPI_File_read_at_all(file, 0, in, kBlocks, resized, &status));
        } else if (way == 2) {
            CHECK_SUCCESS(MPI_File_iwrite_at_all(file, 0, out, kBlocks, resized, &request));
            CHECK_SUCCESS(MPI_Wait(&request, &status));
            CHECK_SUCCESS(MPI_File_iread_at_all(file, 0, in, kBlocks, resized, &request));
            CHECK_SUCCESS(MPI_Wait(&request, &status));
        } else {
            MPI_Datatype absolute;
            MPI_Aint address;
            int one = 1;
            CHECK_SUCCESS(MPI_Get_address(in, &address));
            CHECK_SUCCESS(MPI_Type_create_hindexed(1, &one, &address, resized, &absolute));
            CHECK_SUCCESS(MPI_Type_commit(&absolute));
            CHECK_SUCCESS(MPI_File_read_at(file, 0, MPI_BOTTOM, 1, absolute, &status));
            CHECK_EQUAL(count_in(&status, absolute), 1);
            CHECK_SUCCESS(MPI_Type_free(&absolute));
            CHECK_EQUAL(in[0].number, out[0].number);
            continue;
        }
        CHECK_EQUAL(count_in(&status, resized), kBlocks);
        for (int i = 0; i < kBlocks; ++i) {
            CHECK_EQUAL(in[i].tag, 0);
            CHECK_EQUAL(in[i].number, out[i].number);
            CHECK(in[i].real == out[i].real);
        }
        barrier();
    }
    CHECK_SUCCESS(MPI_Type_free(&record));
    CHECK_SUCCESS(MPI_Type_free(&resized));
    CHECK_SUCCESS(MPI_Type_free(&bytes));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    close_file(&file);
    return finish();
}
