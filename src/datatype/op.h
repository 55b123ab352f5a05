// Op (MPI 5.0 section 6.9): a reduction operation, predefined or the user's.
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/op_kernels.h"

#include <initializer_list>

namespace thrum {

using Op = struct ::MPI_ABI_Op;

// A callback and its large-count twin: MPI_User_function or MPI_User_function_c.
struct AnyFunction {
    void (*function)(); // cast to its type when it is called; nullptr: none
    bool large;         // its counts are MPI_Count
};

} // namespace thrum

namespace thrum {

// Calls a function of another language than C the way MPI_User_function is called; set by its
// binding.
using ForeignUserFunction = void(void (*function)(), void *invec, void *inoutvec, int *len,
                                 MPI_Datatype datatype);

} // namespace thrum

// A reduction operation. Immutable once made, except for the count.
struct MPI_ABI_Op {
    static constexpr uint32_t magic_live = 0x6f706572;
    uint32_t magic = magic_live; // base/object_pool.h
    bool commutative = true;
    bool predefined = false;
    thrum::AnyFunction user{}; // user.function is nullptr for predefined operations
    thrum::ForeignUserFunction *foreign = nullptr; // how to call it; nullptr: as a C function
    int kind = 0;                                  // predefined: an OpKind
    std::atomic<int> references{1};
};

namespace thrum {

// The groups of datatypes on which operations are defined (section 6.9.2): by OpKind, as bits.
struct DefinedGroups {
    uint16_t bits[static_cast<int>(OpKind::NoOp) + 1] = {};

    constexpr DefinedGroups() {
        using enum BasicGroup;
        const auto allow = [this](std::initializer_list<OpKind> ops,
                                  std::initializer_list<BasicGroup> groups) {
            for (OpKind op : ops)
                for (BasicGroup group : groups)
                    bits[static_cast<int>(op)] |=
                        static_cast<uint16_t>(1 << static_cast<int>(group));
        };
        allow({OpKind::Min, OpKind::Max, OpKind::Sum, OpKind::Prod},
              {CInteger, FortranInteger, FloatingPoint, MultiLanguage});
        allow({OpKind::Sum, OpKind::Prod}, {Complex});
        allow({OpKind::LogicalAnd, OpKind::LogicalOr, OpKind::LogicalXor}, {CInteger, Logical});
        allow({OpKind::BitAnd, OpKind::BitOr, OpKind::BitXor},
              {CInteger, FortranInteger, Byte, MultiLanguage});
        allow({OpKind::MinLoc, OpKind::MaxLoc}, {Pair});
    }
};

inline constexpr DefinedGroups defined_groups;

inline bool is_defined_on(OpKind op, BasicGroup group) {
    return (defined_groups.bits[static_cast<int>(op)] >> static_cast<int>(group) & 1) != 0;
}

// Returns the loop of a predefined operation that is defined on a basic datatype; nullptr for all
// others, also for pairs. Inlined, for operations on single elements.
inline OpKernel find_basic_kernel(const Op &op, const Datatype &datatype) {
    const auto kind = static_cast<OpKind>(op.kind);
    return op.predefined && is_defined_on(kind, datatype.group) ? find_kernel(kind, datatype.kind)
                                                                : nullptr;
}

inline constexpr uintptr_t first_op = 32; // MPI_OP_NULL; predefined operations follow
inline constexpr uintptr_t op_constants = 32;

// The addresses of the predefined operations, by the value of their constant; nullptr between
// them. Hidden, so that calls read it directly.
struct PredefinedOpHandles {
    Op *ops[op_constants] = {};
    constexpr PredefinedOpHandles();
};

[[gnu::visibility("hidden")]] extern const PredefinedOpHandles predefined_op_handles;

// Returns the operation of a handle, or nullptr if it is MPI_OP_NULL, an unknown constant or freed.
inline Op *find_op(MPI_Op handle) {
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value >= handle_constants_end)
        return is_live(handle) ? handle : nullptr;
    uintptr_t index = value - first_op; // wraps around below: never less than the count
    return index < op_constants ? predefined_op_handles.ops[index] : nullptr;
}

// Life of operations. A new one is the user's, and its first reference belongs to the caller. Both
// functions do nothing for predefined operations.
Op *new_op();
void retain(Op &op);
void release(Op &op);

// Returns the name of the predefined operation with this Op::kind, for example "MPI_SUM".
const char *name_of_predefined_op(int kind);

// Returns MPI_ERR_OP with its text if a predefined operation is not defined on `datatype` (section
// 6.9.2); the user's operations always are. MPI_REPLACE and MPI_NO_OP are errors here, because they
// are only for accumulates (section 12.3.4).
Error check_op(const Op &op, const Datatype &datatype);
// Returns whether other MPIs accept an operation that is not defined on `datatype`, and Thrum can
// do it. MPI_CHAR is a character of a text; they treat it as a small integer.
bool is_widely_accepted(const Op &op, const Datatype &datatype);

// Returns the loop of a predefined operation on a basic or pair datatype; nullptr: not defined
// (section 6.9.2).
OpKernel find_kernel(const Op &op, const Datatype &datatype);

// Computes inout[i] = in[i] op inout[i] for `count` elements. `handle` is passed to a user
// function. A predefined operation must be defined on the datatype (check_op), or be MPI_REPLACE or
// MPI_NO_OP, which are defined on all. The buffers must not overlap.
void reduce_local(const Op &op, const void *in, void *inout, Count count, Datatype &datatype,
                  MPI_Datatype handle);

} // namespace thrum
