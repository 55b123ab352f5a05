/* Collective writes of interleaved 1 KiB blocks, beside one process that writes a file of the same
 * size as dd does (bs=1M, from /dev/zero). Each sample writes a new file; both kinds alternate.
 *
 *   files [-r SAMPLES] FOLDER BYTES_OF_ALL_RANKS
 */
#include "bench.h"

#include <mpi.h>

#include <fcntl.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1024, STREAM_BYTES = 1 << 20 };

static int rank, size;

static void must(int result, const char *what) {
    if (result) {
        fprintf(stderr, "%s failed\n", what);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static double stream(const char *name, long size_bytes, char *buffer) {
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    must(file < 0, "open");
    double begin = now_seconds();
    for (long done = 0; done < size_bytes; done += STREAM_BYTES) {
        memset(buffer, 0, STREAM_BYTES);
        must(write(file, buffer, STREAM_BYTES) != STREAM_BYTES, "write");
    }
    double seconds = now_seconds() - begin;
    close(file);
    unlink(name);
    return seconds;
}

static MPI_File open_interleaved(const char *name) {
    MPI_File file;
    MPI_Datatype block, filetype;
    must(MPI_File_open(MPI_COMM_WORLD, name,
                       MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &file),
         "MPI_File_open");
    MPI_Type_contiguous(BLOCK_BYTES, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint)BLOCK_BYTES * size, &filetype);
    MPI_Type_commit(&filetype);
    must(MPI_File_set_view(file, (MPI_Offset)BLOCK_BYTES * rank, MPI_BYTE, filetype, "native",
                           MPI_INFO_NULL),
         "MPI_File_set_view");
    MPI_Type_free(&block);
    MPI_Type_free(&filetype);
    return file;
}

static double time_of(MPI_File file, int writing, char *data, long each) {
    MPI_Status status;
    int moved = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = now_seconds();
    must(writing ? MPI_File_write_at_all(file, 0, data, (int)each, MPI_BYTE, &status)
                 : MPI_File_read_at_all(file, 0, data, (int)each, MPI_BYTE, &status),
         "collective access");
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = now_seconds() - begin;
    MPI_Get_count(&status, MPI_BYTE, &moved);
    must(moved != each, "the count");
    return seconds;
}

int main(int argc, char **argv) {
    struct sampling sampling;
    double streams[SAMPLES_MAX], writes[SAMPLES_MAX], reads[SAMPLES_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int a = parse_sampling(argc, argv, &sampling);
    must(argc - a != 2, "files FOLDER BYTES: arguments");
    long all = atol(argv[a + 1]), each = all / size;
    must(each % BLOCK_BYTES != 0 || each * size != all || all % STREAM_BYTES != 0,
         "BYTES: must be whole blocks of every rank, and of the stream");
    char name[4096], stream_name[4200], *data = allocate_touched((size_t)each);
    char *buffer = rank == 0 ? allocate_touched(STREAM_BYTES) : NULL;
    char *back = allocate_touched((size_t)each);
    snprintf(name, sizeof name, "%s/interleaved", argv[a]);
    snprintf(stream_name, sizeof stream_name, "%s.stream", name);
    for (long i = 0; i < each; ++i)
        data[i] = (char)(i * 7 + rank);
    for (int s = 0; s < sampling.samples; ++s) {
        streams[s] = rank == 0 ? stream(stream_name, all, buffer) : 0;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File file = open_interleaved(name);
        writes[s] = time_of(file, 1, data, each);
        reads[s] = time_of(file, 0, back, each);
        must(memcmp(data, back, (size_t)each) != 0, "reading back what was written");
        MPI_File_close(&file);
    }
    if (rank == 0) {
        print_figure("stream_write", all, streams, sampling.samples);
        print_figure("write_all", all, writes, sampling.samples);
        print_figure("read_all", all, reads, sampling.samples);
    }
    MPI_Finalize();
    return 0;
}
