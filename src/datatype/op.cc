// Predefined and user operations: their table, on which datatypes they are defined, and how they
// are applied. The loops are in op_kernels.cc and pair_kernels.cc.
#include "datatype/op.h"

#include "base/check.h"
#include "datatype/describe.h"
#include "datatype/op_kernels.h"
#include "datatype/predefined.h"

#include <algorithm>
#include <climits>
#include <iterator>

namespace thrum {
namespace {

constinit ObjectPool<Op> pool;

// A predefined operation and its constant in mpi.h.
struct OpRecord {
    uint8_t constant;
    OpKind kind;
};

constexpr OpRecord op_records[] = {
    {33, OpKind::Sum},        {34, OpKind::Min},        {35, OpKind::Max},
    {36, OpKind::Prod},       {40, OpKind::BitAnd},     {41, OpKind::BitOr},
    {42, OpKind::BitXor},     {48, OpKind::LogicalAnd}, {49, OpKind::LogicalOr},
    {50, OpKind::LogicalXor}, {56, OpKind::MinLoc},     {57, OpKind::MaxLoc},
    {60, OpKind::Replace},    {61, OpKind::NoOp},
};
constexpr const char *op_names[] = {
    "MPI_SUM",  "MPI_MIN", "MPI_MAX",  "MPI_PROD",   "MPI_BAND",   "MPI_BOR",     "MPI_BXOR",
    "MPI_LAND", "MPI_LOR", "MPI_LXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};

// The table of predefined operations, built at compile time.
struct PredefinedOps {
    Op ops[op_constants];

    // Entries between the constants stay not predefined.
    constexpr PredefinedOps() {
        for (const OpRecord &record : op_records) {
            Op &op = ops[record.constant - first_op];
            op.predefined = true;
            op.kind = static_cast<int>(record.kind);
            // The result of MPI_REPLACE depends on the order, that of MPI_NO_OP on nothing.
            op.commutative = record.kind != OpKind::Replace;
        }
    }
};

constinit PredefinedOps predefined_ops; // shared by all ranks, never written

// Returns the loop for a datatype, or nullptr. MPI_CHAR has the loop of a small integer, for
// is_widely_accepted().
OpKernel kernel_for(OpKind kind, const Datatype &datatype) {
    if (datatype.group == BasicGroup::Character)
        return find_kernel(kind, BasicKind::Int8);
    if (datatype.kind != BasicKind::Pair)
        return find_kernel(kind, datatype.kind);
    PairParts parts = pair_parts(datatype);
    return find_pair_kernel(kind, parts.value->kind, parts.index->kind);
}

// Calls the user's function with as many elements as its count can hold. `handle` is what the
// program passed, so that its function recognises its own datatype.
void call_user(const Op &op, const void *in, void *inout, Count count, Datatype &datatype,
               MPI_Datatype handle) {
    auto *invec =
        static_cast<char *>(const_cast<void *>(in)); // the callback's type is older than const
    auto *inoutvec = static_cast<char *>(inout);
    if (op.user.large) {
        auto *function = reinterpret_cast<MPI_User_function_c *>(op.user.function);
        function(invec, inoutvec, &count, &handle);
        return;
    }
    auto *function = reinterpret_cast<MPI_User_function *>(op.user.function);
    // A count beyond int is passed to an int callback in pieces.
    for (Count done = 0; done < count;) {
        int length = static_cast<int>(std::min<Count>(count - done, INT_MAX));
        MPI_Datatype type = handle;
        char *in_piece = invec + done * datatype.extent;
        char *inout_piece = inoutvec + done * datatype.extent;
        if (op.foreign)
            op.foreign(op.user.function, in_piece, inout_piece, &length, handle);
        else
            function(in_piece, inout_piece, &length, &type);
        done += std::min<Count>(count - done, INT_MAX);
    }
}

} // namespace

constexpr PredefinedOpHandles::PredefinedOpHandles() {
    for (const OpRecord &record : op_records)
        ops[record.constant - first_op] = &predefined_ops.ops[record.constant - first_op];
}

constinit const PredefinedOpHandles predefined_op_handles;

Op *new_op() {
    return pool.make();
}

void retain(Op &op) {
    if (!op.predefined)
        op.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Op &op) {
    // acq_rel [op-1]: the last user sees every other's use done before it frees.
    if (!op.predefined && op.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        pool.destroy(&op);
}

OpKernel find_kernel(const Op &op, const Datatype &datatype) {
    return kernel_for(static_cast<OpKind>(op.kind), datatype);
}

// The error names the operation and the datatype. The usual case costs two look-ups in tables.
Error check_op(const Op &op, const Datatype &datatype) {
    if (!op.predefined)
        return success;
    auto kind = static_cast<OpKind>(op.kind);
    if (is_defined_on(kind, datatype.group) && kernel_for(kind, datatype)) [[likely]]
        return success;
    if (kind == OpKind::Replace || kind == OpKind::NoOp)
        return fail(MPI_ERR_OP, "%s can be used only in accumulates", op_names[op.kind]);
    char name[MPI_MAX_OBJECT_NAME + 32];
    return fail(MPI_ERR_OP, "%s is not defined on %s", op_names[op.kind],
                describe(datatype, name, sizeof name));
}

const char *name_of_predefined_op(int kind) {
    return op_names[kind];
}

// Other MPIs reduce MPI_CHAR as a small integer, and allow logical operations on MPI_AINT,
// MPI_COUNT and MPI_OFFSET.
bool is_widely_accepted(const Op &op, const Datatype &datatype) {
    if (!op.predefined)
        return false;
    const auto kind = static_cast<OpKind>(op.kind);
    const bool logical =
        kind == OpKind::LogicalAnd || kind == OpKind::LogicalOr || kind == OpKind::LogicalXor;
    if (datatype.group == BasicGroup::MultiLanguage)
        return logical;
    return datatype.group == BasicGroup::Character && kind != OpKind::MinLoc &&
           kind != OpKind::MaxLoc && kernel_for(kind, datatype);
}

// Replace and NoOp have no loop: they are copies.
void reduce_local(const Op &op, const void *in, void *inout, Count count, Datatype &datatype,
                  MPI_Datatype handle) {
    if (!op.predefined)
        return call_user(op, in, inout, count, datatype, handle);
    auto kind = static_cast<OpKind>(op.kind);
    if (kind == OpKind::NoOp)
        return;
    if (kind == OpKind::Replace) {
        copy_typed(in, count, datatype, inout, count, datatype);
        return;
    }
    OpKernel kernel = kernel_for(kind, datatype);
    CHECK(kernel != nullptr, "operation %d on kind %d", op.kind, static_cast<int>(datatype.kind));
    kernel(in, inout, count);
}

} // namespace thrum
