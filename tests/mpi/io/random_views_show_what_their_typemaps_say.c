// MPI 5.0 section 14.1.1: "A view defines the current set of data visible and accessible from an
// open file as an ordered set of etypes. Each process has its own view of the file, defined by
// three quantities: a displacement, an etype, and a filetype. The pattern described by a filetype
// is repeated, beginning at the displacement, to define the view." Random patterns deal the units
// of a file out to the ranks (and to nobody); what is collectively and otherwise written by them is
// compared with a plain array, and read back, whatever the sizes of collective buffers are.
// ranks: 1 2 5 8
// timeout: 120
#include "files.h"

enum { kPatterns = 30, kTileMax = 60, kTilesMax = 40, kUnitMax = 48, kNobody = -1 };

static unsigned long seed;

static int random_number(int low, int high) { // the same on all ranks
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return low + (int)((seed >> 33) % (unsigned long)(high - low + 1));
}

typedef struct {
    int units, tiles, unit_bytes, displacement; // of a tile; tiles of the file; of a unit
    int owner[kTileMax];
    int own, own_at[kTileMax]; // units of this rank in a tile
} Pattern;

static unsigned char byte_of(const Pattern *p, int unit, int byte) {
    return (unsigned char)(1 + (unit * 7 + byte * 13 + p->units) % 255);
}

static Pattern random_pattern(void) {
    Pattern p;
    p.units = random_number(1, kTileMax);
    p.tiles = random_number(1, kTilesMax);
    p.unit_bytes = random_number(0, 2) ? random_number(1, 8) : random_number(1, kUnitMax);
    p.displacement = random_number(0, 3) ? random_number(0, 5000) : 0;
    p.own = 0;
    int longest = random_number(1, 6), owner = 0, left = 0;
    for (int i = 0; i < p.units; ++i, --left) {
        if (left == 0) {
            left = random_number(1, longest);
            owner = random_number(kNobody, size - 1);
        }
        p.owner[i] = owner;
        if (owner == rank)
            p.own_at[p.own++] = i;
    }
    return p;
}

static MPI_Datatype new_unit(const Pattern *p) {
    MPI_Datatype unit;
    CHECK_SUCCESS(MPI_Type_contiguous(p->unit_bytes, MPI_BYTE, &unit));
    CHECK_SUCCESS(MPI_Type_commit(&unit));
    return unit;
}

static MPI_Datatype new_filetype(const Pattern *p, MPI_Datatype unit) {
    MPI_Datatype own, filetype;
    CHECK_SUCCESS(MPI_Type_create_indexed_block(p->own, 1, p->own_at, unit, &own));
    CHECK_SUCCESS(MPI_Type_create_resized(own, 0, (MPI_Aint)p->units * p->unit_bytes, &filetype));
    CHECK_SUCCESS(MPI_Type_commit(&filetype));
    CHECK_SUCCESS(MPI_Type_free(&own));
    return filetype;
}

// The n-th unit that this rank sees is this one of the file.
static int unit_of(const Pattern *p, int n) {
    return n / p->own * p->units + p->own_at[n % p->own];
}

// Memory of `count` units with a gap after each.
static MPI_Datatype new_memory(int unit_bytes, int gap_bytes) {
    MPI_Datatype bytes, memory;
    CHECK_SUCCESS(MPI_Type_contiguous(unit_bytes, MPI_BYTE, &bytes));
    CHECK_SUCCESS(MPI_Type_create_resized(bytes, 0, unit_bytes + gap_bytes, &memory));
    CHECK_SUCCESS(MPI_Type_commit(&memory));
    CHECK_SUCCESS(MPI_Type_free(&bytes));
    return memory;
}

static void access_parts(MPI_File file, const Pattern *p, int writing, MPI_Datatype memory,
                         unsigned char *bytes, int stride) {
    const int parts = random_number(1, 4), how = random_number(0, 4), total = p->own * p->tiles;
    for (int part = 0, done = 0; part < parts; ++part) {
        const int count = part == parts - 1 ? total - done : total / parts;
        unsigned char *at = bytes + (size_t)done * stride;
        MPI_Status status;
        MPI_Request request;
        if (how == 0 && writing)
            CHECK_SUCCESS(MPI_File_write(file, at, count, memory, &status));
        else if (how == 0)
            CHECK_SUCCESS(MPI_File_read(file, at, count, memory, &status));
        else if (how == 1 && writing)
            CHECK_SUCCESS(MPI_File_write_at_all(file, done, at, count, memory, &status));
        else if (how == 1)
            CHECK_SUCCESS(MPI_File_read_at_all(file, done, at, count, memory, &status));
        else if (how == 2) {
            if (writing)
                CHECK_SUCCESS(MPI_File_iwrite_at_all(file, done, at, count, memory, &request));
            else
                CHECK_SUCCESS(MPI_File_iread_at_all(file, done, at, count, memory, &request));
            CHECK_SUCCESS(MPI_Wait(&request, &status));
        } else if (writing)
            CHECK_SUCCESS(MPI_File_write_all(file, at, count, memory, &status));
        else
            CHECK_SUCCESS(MPI_File_read_all(file, at, count, memory, &status));
        CHECK_EQUAL(count_in(&status, memory), count);
        done += count;
    }
}

static void check_outside(const Pattern *p) {
    static unsigned char all[5000 + kTileMax * kTilesMax * kUnitMax];
    memset(all, 0, sizeof all);
    const long got = read_outside(p->displacement, all, sizeof all);
    long last = 0; // byte that somebody has written
    for (int unit = 0; unit < p->units * p->tiles; ++unit)
        for (int byte = 0; byte < p->unit_bytes; ++byte) {
            const int written = p->owner[unit % p->units] != kNobody;
            const long at = (long)unit * p->unit_bytes + byte;
            CHECK_EQUAL(all[at], written ? byte_of(p, unit, byte) : 0);
            if (written)
                last = at + 1;
        }
    CHECK_EQUAL(got, last);
}

static void try_pattern(void) {
    const Pattern p = random_pattern();
    const int gap = random_number(0, 1) ? random_number(1, 9) : 0, stride = p.unit_bytes + gap;
    char block[20], nodes[20];
    snprintf(block, sizeof block, "%d", random_number(0, 1) ? 1 << 20 : random_number(16, 2000));
    snprintf(nodes, sizeof nodes, "%d", random_number(1, size));
    MPI_Info info;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "cb_block_size", block));
    if (random_number(0, 1))
        CHECK_SUCCESS(MPI_Info_set(info, "cb_nodes", nodes));
    MPI_File file;
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                                &file));
    MPI_Datatype unit = new_unit(&p), filetype = new_filetype(&p, unit);
    MPI_Datatype memory = new_memory(p.unit_bytes, gap);
    CHECK_SUCCESS(MPI_File_set_view(file, p.displacement, unit, filetype, "native", info));

    const int total = p.own * p.tiles;
    const size_t size_bytes = (size_t)total * stride + 1;
    unsigned char *out = malloc(size_bytes), *in = malloc(size_bytes);
    memset(out, 0xee, size_bytes);
    for (int n = 0; n < total; ++n)
        for (int byte = 0; byte < p.unit_bytes; ++byte)
            out[(size_t)n * stride + byte] = byte_of(&p, unit_of(&p, n), byte);
    access_parts(file, &p, 1, memory, out, stride);
    barrier();
    if (rank == 0)
        check_outside(&p);

    memset(in, 0xee, size_bytes);
    CHECK_SUCCESS(MPI_File_seek(file, 0, MPI_SEEK_SET));
    access_parts(file, &p, 0, memory, in, stride);
    CHECK(memcmp(in, out, size_bytes) == 0); // and nothing between the units
    free(in);
    free(out);
    CHECK_SUCCESS(MPI_Type_free(&memory));
    CHECK_SUCCESS(MPI_Type_free(&filetype));
    CHECK_SUCCESS(MPI_Type_free(&unit));
    CHECK_SUCCESS(MPI_Info_free(&info));
    close_file(&file);
}

int main(void) {
    start_with_file();
    const char *given = getenv("THRUM_TEST_SEED");
    seed = given ? strtoul(given, NULL, 0) : 20261122ul;
    for (int i = 0; i < kPatterns; ++i)
        try_pattern();
    return finish();
}
