// MPI 5.0 section 14.5.3: "If MPI cannot allocate a buffer large enough to hold all the data to be
// converted from a read operation, it may call the conversion function repeatedly using the same
// datatype and userbuf, and reading successive chunks of data to be converted in filebuf." ...
// "Then in subsequent calls to the conversion function, MPI will increment the value in position by
// the count of items converted in the previous call, and the userbuf pointer will be unchanged."
// ranks: 1
#include "files.h"

enum { kItems = 3000000 };

static short *numbers, *back;
static MPI_Count next_item;

static int convert(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf,
                   MPI_Offset position, void *reading) {
    CHECK(datatype == MPI_SHORT);
    CHECK(userbuf == (reading ? (void *)back : (void *)numbers));
    CHECK_EQUAL(position, next_item);
    next_item += count;
    for (MPI_Count i = 0; i < count; ++i) {
        if (reading)
            ((short *)userbuf)[position + i] = (short)-((int *)filebuf)[i];
        else
            ((int *)filebuf)[i] = -((short *)userbuf)[position + i];
    }
    return MPI_SUCCESS;
}

static int read_negative(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf,
                         MPI_Offset position, void *extra_state) {
    return convert(userbuf, datatype, count, filebuf, position, extra_state);
}

static int write_negative(void *userbuf, MPI_Datatype datatype, MPI_Count count, void *filebuf,
                          MPI_Offset position, void *extra_state) {
    (void)extra_state;
    return convert(userbuf, datatype, count, filebuf, position, NULL);
}

static int four_bytes(MPI_Datatype datatype, MPI_Aint *extent, void *extra_state) {
    (void)datatype, (void)extra_state;
    *extent = 4;
    return MPI_SUCCESS;
}

int main(void) {
    start_with_file();
    numbers = malloc(kItems * sizeof *numbers);
    back = calloc(kItems, sizeof *back);
    for (int i = 0; i < kItems; ++i)
        numbers[i] = (short)(i % 30011);
    CHECK_SUCCESS(
        MPI_Register_datarep_c("negative", read_negative, write_negative, four_bytes, &next_item));
    MPI_File file = open_new();
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_SHORT, MPI_SHORT, "negative", MPI_INFO_NULL));
    CHECK_SUCCESS(MPI_File_write(file, numbers, kItems, MPI_SHORT, MPI_STATUS_IGNORE));
    CHECK_EQUAL(next_item, kItems);
    CHECK_EQUAL(size_of(file), 4LL * kItems);
    int seen;
    read_outside(4L * 29000, &seen, 4);
    CHECK_EQUAL(seen, -29000);
    next_item = 0;
    MPI_Status status;
    CHECK_SUCCESS(MPI_File_read_at(file, 0, back, kItems, MPI_SHORT, &status));
    CHECK_EQUAL(count_in(&status, MPI_SHORT), kItems);
    CHECK_EQUAL(memcmp(numbers, back, kItems * sizeof *numbers), 0);
    free(numbers);
    free(back);
    close_file(&file);
    return finish();
}
