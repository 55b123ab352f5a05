// MPI 5.0 section 6.9.5: "If commute = false, then the order of operands is fixed and is defined to
// be in ascending, process rank order, beginning with MPI process with rank 0 in the communicator
// comm." Also where the ranks of a process are no neighbours in the communicator.
//
// ranks: 2 3 4 7 8
// modes: processes processes-2
#include "world.h"

// Affine maps x -> a x + b modulo a prime; composing them does not commute.
enum { prime = 9973 };

typedef struct {
    int a, b;
} Map;

static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    const Map *left = in;
    Map *right = inout;
    for (int i = 0; i < *length; ++i) {
        Map both = {left[i].a * right[i].a % prime, (left[i].a * right[i].b + left[i].b) % prime};
        right[i] = both;
    }
}

static Map map_of(int who, int i) {
    Map map = {2 + (who * 7 + i) % 97, (who * 13 + i * 5) % prime};
    return map;
}

// The maps of ranks [0, end) of the communicator, whose world ranks are `world`.
static Map expected(const int *world, int end, int i) {
    Map result = map_of(world[end - 1], i);
    for (int r = end - 2; r >= 0; --r) {
        Map left = map_of(world[r], i);
        Map both = {left.a * result.a % prime, (left.a * result.b + left.b) % prime};
        result = both;
    }
    return result;
}

enum { count = 50 };

static MPI_Datatype map_type;
static MPI_Op composition;

static void check(const Map *maps, const int *world, int end) {
    for (int i = 0; i < count; ++i) {
        Map wanted = expected(world, end, i);
        CHECK_EQUAL(maps[i].a, wanted.a);
        CHECK_EQUAL(maps[i].b, wanted.b);
    }
}

static void check_reductions(MPI_Comm comm) {
    int place, world[64];
    MPI_Comm_rank(comm, &place);
    CHECK_SUCCESS(MPI_Allgather(&rank, 1, MPI_INT, world, 1, MPI_INT, comm));
    Map mine[count], result[count];
    for (int i = 0; i < count; ++i)
        mine[i] = map_of(rank, i);
    CHECK_SUCCESS(MPI_Allreduce(mine, result, count, map_type, composition, comm));
    check(result, world, size);
    for (int root = 0; root < size; ++root) {
        CHECK_SUCCESS(MPI_Reduce(mine, result, count, map_type, composition, root, comm));
        if (place == root)
            check(result, world, size);
    }
    CHECK_SUCCESS(MPI_Scan(mine, result, count, map_type, composition, comm));
    check(result, world, place + 1);
    CHECK_SUCCESS(MPI_Exscan(mine, result, count, map_type, composition, comm));
    if (place > 0)
        check(result, world, place);
    memcpy(result, mine, sizeof mine);
    CHECK_SUCCESS(MPI_Scan(MPI_IN_PLACE, result, count, map_type, composition, comm));
    check(result, world, place + 1);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &map_type);
    MPI_Type_commit(&map_type);
    MPI_Op_create(compose, 0, &composition);
    check_reductions(MPI_COMM_WORLD);
    MPI_Comm reversed, dealt;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    check_reductions(reversed);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * 1000 + rank, &dealt); // even ones first
    check_reductions(dealt);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&dealt);
    MPI_Op_free(&composition);
    MPI_Type_free(&map_type);
    return finish();
}
