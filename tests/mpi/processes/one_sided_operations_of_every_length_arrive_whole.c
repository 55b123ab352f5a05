// Operations that travel in one message, in pieces, and that the target's process reads or the
// origin reads itself; dense and with gaps on either side, with datatypes whose description is
// longer than a piece of the data.
//
// ranks: 2 3
// modes: processes processes-2
#include "windows.h"

enum { ints = 1 << 20 };

static int *memory, *data;
static MPI_Win win;

static MPI_Datatype every_other(int count) {
    MPI_Datatype type;
    MPI_Type_vector(count, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

// Blocks of 1 to 3 ints, a few apart, without a rule.
static MPI_Datatype scattered(int blocks, int *count) {
    int *lengths = malloc(sizeof(int) * (size_t)blocks),
        *places = malloc(sizeof(int) * (size_t)blocks);
    MPI_Datatype type;
    *count = 0;
    for (int i = 0, place = 0; i < blocks; ++i) {
        lengths[i] = 1 + i * 7 % 3;
        places[i] = place;
        place += lengths[i] + 1 + i * 5 % 4;
        *count += lengths[i];
    }
    MPI_Type_indexed(blocks, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    free(lengths);
    free(places);
    return type;
}

// Puts `data` with `here` at the target with `there`, gets it back, and adds it once more.
static void there_and_back(int count, MPI_Datatype here, int here_count, MPI_Datatype there,
                           int there_count) {
    const int target = right_neighbour();
    int *back = malloc(sizeof(int) * ints), *sent = malloc(sizeof(int) * (size_t)count),
        *got = malloc(sizeof(int) * (size_t)count), position = 0;
    for (int i = 0; i < ints; ++i) {
        data[i] = i * 3 + rank;
        back[i] = -1;
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    CHECK_SUCCESS(MPI_Put(data, here_count, here, target, 0, there_count, there, win));
    MPI_Win_flush(target, win);
    CHECK_SUCCESS(MPI_Get(back, here_count, here, target, 0, there_count, there, win));
    MPI_Win_flush(target, win);
    const int bytes = count * (int)sizeof(int);
    MPI_Pack(data, here_count, here, sent, bytes, &position, MPI_COMM_WORLD);
    CHECK_EQUAL(position, bytes);
    position = 0;
    MPI_Pack(back, here_count, here, got, bytes, &position, MPI_COMM_WORLD);
    CHECK_EQUAL(memcmp(sent, got, (size_t)bytes), 0);
    CHECK_SUCCESS(MPI_Get_accumulate(data, here_count, here, back, here_count, here, target, 0,
                                     there_count, there, MPI_SUM, win));
    MPI_Win_flush(target, win);
    position = 0;
    MPI_Pack(back, here_count, here, got, bytes, &position, MPI_COMM_WORLD);
    CHECK_EQUAL(memcmp(sent, got, (size_t)bytes), 0);
    CHECK_SUCCESS(
        MPI_Accumulate(data, here_count, here, target, 0, there_count, there, MPI_SUM, win));
    MPI_Win_unlock(target, win);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    CHECK_SUCCESS(MPI_Get(got, count, MPI_INT, target, 0, there_count, there, win));
    MPI_Win_unlock(target, win);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(got[i], 3 * sent[i]);
    free(back);
    free(sent);
    free(got);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void play(void) {
    const int counts[] = {1, 35, 36, 37, 1000, 2048, 16384, 65535, 65537, 300000, ints / 2};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const int count = counts[i];
        MPI_Datatype gapped = every_other(count);
        there_and_back(count, MPI_INT, count, MPI_INT, count);
        there_and_back(count, gapped, 1, MPI_INT, count);
        there_and_back(count, MPI_INT, count, gapped, 1);
        there_and_back(count, gapped, 1, gapped, 1);
        MPI_Type_free(&gapped);
    }
    int count;
    MPI_Datatype irregular = scattered(60000, &count);
    there_and_back(count, irregular, 1, irregular, 1);
    there_and_back(count, MPI_INT, count, irregular, 1);
    MPI_Type_free(&irregular);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    data = malloc(sizeof(int) * ints);
    int *own = malloc(sizeof(int) * ints);
    MPI_Win_create(own, sizeof(int) * ints, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    play();
    free_window(&win);
    MPI_Win_allocate(sizeof(int) * ints, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    play();
    free_window(&win);
    free(own);
    free(data);
    return finish();
}
