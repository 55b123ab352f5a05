// MPI 5.0 section 12.7.1: "The outcome of concurrent accumulate operations to the same location
// with the same predefined datatype is as if the accumulate operations were done at that location
// in some serial order." Random epochs of every kind, on every kind of window, planned by all ranks
// in the same way, leave what a sequential model says. THRUM_TEST_SEED gives another seed.
// ranks: 2 4 5
// timeout: 120
#include "windows.h"

enum { elements = 400, segment_max = 40, operations_max = 4000, epochs = 12 };

enum way { by_fence, by_groups, by_lock, by_lock_all, by_requests, ways };

enum kind { put, get, accumulate, get_accumulate, fetch_and_op, compare_and_swap, kinds };

typedef struct {
    enum kind kind;
    int origin, target, place, count, stride, origin_stride, op;
    int64_t value;
} Operation;

static Operation plan[operations_max];
static int planned;
static int64_t *model; // of all ranks
static uint64_t state;
static MPI_Win win;
static MPI_Aint *bases; // of dynamic windows; else NULL
static const MPI_Op *ops;

static int below(int limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

// One kind of access for each segment of each target's memory, so that the outcome does not depend
// on the order of what happens at the same time.
static void make_plan(void) {
    planned = 0;
    for (int target = 0; target < size; ++target)
        for (int place = 0, length; place < elements; place += length) {
            length = 1 + below(segment_max);
            if (length > elements - place)
                length = elements - place;
            Operation operation = {
                .kind = (enum kind)below(kinds), .target = target, .place = place};
            operation.stride = 1 + below(3);
            operation.count = (length + operation.stride - 1) / operation.stride;
            operation.op = below(6);
            if (operation.kind >= fetch_and_op)
                operation.count = 1;
            int copies =
                operation.kind == put || operation.kind == compare_and_swap ? below(2) : below(4);
            for (int i = 0; i < copies; ++i) {
                operation.origin = below(size);
                operation.origin_stride = 1 + below(3);
                operation.value = below(1000) - 500;
                plan[planned++] = operation;
            }
        }
}

static void apply(const Operation *o) {
    for (int i = 0; i < o->count; ++i) {
        int64_t value = o->value + i,
                *place = &model[o->target * elements + o->place + i * o->stride];
        if (o->kind == put)
            *place = value;
        else if (o->kind == compare_and_swap)
            *place = value; // what was compared is there
        else if (o->kind != get)
            MPI_Reduce_local(&value, place, 1, MPI_INT64_T, ops[o->op]);
    }
}

// The buffers of an operation; they live until it is complete.
typedef struct {
    int64_t in[3 * segment_max], out[3 * segment_max], compare;
    MPI_Request request;
} Buffers;

static MPI_Datatype strided(int count, int stride) {
    MPI_Datatype type;
    MPI_Type_vector(count, 1, stride, MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    return type;
}

static void begin(const Operation *o, Buffers *b, int with_request) {
    MPI_Datatype here = strided(o->count, o->origin_stride), there = strided(o->count, o->stride);
    MPI_Aint disp = bases ? bases[o->target] + o->place * 8 : o->place;
    MPI_Op op = ops[o->op];
    for (int i = 0; i < 3 * segment_max; ++i)
        b->in[i] = b->out[i] = -7;
    for (int i = 0; i < o->count; ++i)
        b->in[i * o->origin_stride] = o->value + i;
    b->compare = model[o->target * elements + o->place];
    b->request = MPI_REQUEST_NULL;
    MPI_Request *request = &b->request;
    int t = o->target;
    switch (o->kind) {
    case put:
        CHECK_SUCCESS(with_request ? MPI_Rput(b->in, 1, here, t, disp, 1, there, win, request)
                                   : MPI_Put(b->in, 1, here, t, disp, 1, there, win));
        break;
    case get:
        CHECK_SUCCESS(with_request ? MPI_Rget(b->out, 1, here, t, disp, 1, there, win, request)
                                   : MPI_Get(b->out, 1, here, t, disp, 1, there, win));
        break;
    case accumulate:
        CHECK_SUCCESS(with_request
                          ? MPI_Raccumulate(b->in, 1, here, t, disp, 1, there, op, win, request)
                          : MPI_Accumulate(b->in, 1, here, t, disp, 1, there, op, win));
        break;
    case get_accumulate:
        CHECK_SUCCESS(with_request ? MPI_Rget_accumulate(b->in, 1, here, b->out, 1, here, t, disp,
                                                         1, there, op, win, request)
                                   : MPI_Get_accumulate(b->in, 1, here, b->out, 1, here, t, disp, 1,
                                                        there, op, win));
        break;
    case fetch_and_op:
        CHECK_SUCCESS(MPI_Fetch_and_op(b->in, b->out, MPI_INT64_T, t, disp, op, win));
        break;
    default:
        CHECK_SUCCESS(MPI_Compare_and_swap(b->in, &b->compare, b->out, MPI_INT64_T, t, disp, win));
    }
    MPI_Type_free(&here); // pending operations keep what they need
    MPI_Type_free(&there);
}

// Gets, and the only accesses to their element, have seen what was there.
static void check_result(const Operation *o, const Buffers *b) {
    if (o->kind == compare_and_swap)
        CHECK_EQUAL(b->out[0], b->compare);
    if (o->kind != get)
        return;
    for (int i = 0; i < o->count * o->origin_stride; ++i) {
        int gap = i % o->origin_stride != 0;
        int place = o->place + i / o->origin_stride * o->stride;
        CHECK_EQUAL(b->out[i], gap ? -7 : model[o->target * elements + place]);
    }
}

static void run_all(enum way way) {
    Buffers *buffers = malloc(sizeof(Buffers) * (size_t)(planned + 1));
    for (int i = 0; i < planned; ++i) {
        const Operation *o = &plan[i];
        if (o->origin != rank)
            continue;
        if (way == by_lock)
            MPI_Win_lock(o->value % 2 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, o->target, 0, win);
        begin(o, &buffers[i], way == by_requests);
        if (way == by_lock) {
            MPI_Win_unlock(o->target, win);
            check_result(o, &buffers[i]);
        }
    }
    if (way == by_lock_all)
        MPI_Win_flush_all(win);
    if (way == by_requests)
        for (int i = 0; i < planned; ++i)
            if (plan[i].origin == rank) {
                if (plan[i].kind >= fetch_and_op)
                    MPI_Win_flush(plan[i].target, win);
                MPI_Wait(&buffers[i].request, MPI_STATUS_IGNORE);
            }
    if (way == by_fence)
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (way == by_groups)
        MPI_Win_complete(win);
    if (way != by_lock)
        for (int i = 0; i < planned; ++i)
            if (plan[i].origin == rank)
                check_result(&plan[i], &buffers[i]);
    free(buffers);
}

static void run_by_groups(void) {
    int origins[64], targets[64], from = 0, to = 0;
    for (int other = 0; other < size; ++other) {
        int is_origin = 0, is_target = 0;
        for (int i = 0; i < planned; ++i) {
            is_origin |= plan[i].origin == other && plan[i].target == rank;
            is_target |= plan[i].target == other && plan[i].origin == rank;
        }
        if (is_origin)
            origins[from++] = other;
        if (is_target)
            targets[to++] = other;
    }
    MPI_Group exposed_to = group_of(from, origins), accessed = group_of(to, targets);
    MPI_Win_post(exposed_to, 0, win);
    MPI_Win_start(accessed, 0, win);
    run_all(by_groups);
    MPI_Win_wait(win);
    MPI_Group_free(&exposed_to);
    MPI_Group_free(&accessed);
}

static void run_epoch(enum way way) {
    switch (way) {
    case by_fence:
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        run_all(way);
        break;
    case by_groups:
        run_by_groups();
        break;
    case by_lock:
        run_all(way);
        break;
    default:
        MPI_Win_lock_all(0, win);
        run_all(way);
        MPI_Win_unlock_all(win);
    }
}

static void play(int64_t *memory) {
    for (int r = 0; r < size; ++r)
        for (int i = 0; i < elements; ++i)
            model[r * elements + i] = r * 1000 + i;
    for (int i = 0; i < elements; ++i)
        memory[i] = model[rank * elements + i];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        make_plan();
        run_epoch((enum way)below(ways));
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < planned; ++i)
            apply(&plan[i]);
        for (int i = 0; i < elements; ++i)
            CHECK_EQUAL(memory[i], model[rank * elements + i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    const MPI_Op all_ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_BXOR, MPI_BAND};
    ops = all_ops;
    const char *seed = getenv("THRUM_TEST_SEED");
    state = seed ? strtoull(seed, NULL, 10) : 20250605;
    model = malloc(sizeof *model * elements * (size_t)size);
    const MPI_Aint bytes = elements * 8;
    int64_t *memory, own[elements];
    MPI_Win_create(own, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    play(own);
    MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    play(memory);
    MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    play(memory);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, own, bytes);
    bases = malloc(sizeof *bases * (size_t)size);
    MPI_Get_address(own, &bases[rank]);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_AINT, bases, 1, MPI_AINT, MPI_COMM_WORLD);
    play(own);
    free(bases);
    free(model);
    return finish();
}
