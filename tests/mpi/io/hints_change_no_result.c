// MPI 5.0 section 14.2.8: "cb_block_size" ... "Target nodes access data in chunks of this size. The
// chunks are distributed among target nodes in a round-robin (cyclic) pattern." Whatever the sizes
// are, the file is the same.
// ranks: 1 9
#include "files.h"

enum { kInts = 4000 };

static int out[kInts], in[kInts];

int main(void) {
    start_with_file();
    static const char *const settings[][4] = {
        {"false", "4194304", "16777216", "1"},
        {"true", "4096", "4096", "1"},
        {"true", "1000", "333", "3"},
        {"true", "1048576", "65536", "4"},
        {"true", "100", "1", "9"},
    };
    for (size_t s = 0; s < sizeof settings / sizeof *settings; ++s) {
        MPI_Info info;
        CHECK_SUCCESS(MPI_Info_create(&info));
        CHECK_SUCCESS(MPI_Info_set(info, "collective_buffering", settings[s][0]));
        CHECK_SUCCESS(MPI_Info_set(info, "cb_block_size", settings[s][1]));
        CHECK_SUCCESS(MPI_Info_set(info, "cb_buffer_size", settings[s][2]));
        CHECK_SUCCESS(MPI_Info_set(info, "cb_nodes", settings[s][3]));
        MPI_File file;
        CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                    info, &file));
        CHECK_SUCCESS(MPI_Info_free(&info));
        view_in_turn(file, MPI_INT, 7 + (int)s);
        for (int i = 0; i < kInts; ++i)
            out[i] = (int)s * 1000000 + rank * 10000 + i;
        CHECK_SUCCESS(MPI_File_write_all(file, out, kInts, MPI_INT, MPI_STATUS_IGNORE));
        memset(in, 0, sizeof in);
        CHECK_SUCCESS(MPI_File_read_at_all(file, 0, in, kInts, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_EQUAL(memcmp(in, out, sizeof in), 0);
        memset(in, 0, sizeof in);
        CHECK_SUCCESS(MPI_File_read_at(file, 0, in, kInts, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_EQUAL(memcmp(in, out, sizeof in), 0);
        close_file(&file);
    }
    return finish();
}
