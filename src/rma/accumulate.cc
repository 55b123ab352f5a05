// Accumulates: the elements that they combine, and the walk through buffers of any datatype. Each
// element is read and written under the lock of its stripe, whether one or many are combined.
//
// Call tree of an accumulate:
//
//   accumulate, fetch_and_op -> combine_element    one element on both sides, as the most are
//   accumulate, get_accumulate, fetch_and_op -> combine
//     combine_dense              adjacent elements: a kernel's loop per stripe
//     combine_scattered          any datatypes: by pieces of the stack, run by run of the target
#include "rma/accumulate.h"

#include "datatype/contents.h"
#include "datatype/cursor.h"
#include "datatype/describe.h"
#include "datatype/op_kernels.h"
#include "rma/access_checks.h"
#include "rma/access_record.h"
#include "rma/element.h"
#include "rma/remote_access.h"
#include "rma/stripe.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

constexpr size_t type_text_bytes = MPI_MAX_OBJECT_NAME + 32;
constexpr size_t element_bytes_max = 64; // of any predefined datatype, including gaps
constexpr Count piece_bytes = 1024;      // two are on the stack, which is small if ranks are many

OpKind kind_of(const Op &op) {
    return static_cast<OpKind>(op.kind);
}

// Returns the predefined datatype of which `type` consists (section 12.3.4). For accumulates, a
// pair of a value and an index is one element. nullptr: there are several, or none.
const Datatype *element_of(const Datatype &type) {
    if (type.predefined)
        return &type;
    if (!type.contents)
        return nullptr;
    const Datatype *element = nullptr;
    for (const Datatype *part : type.contents->types) {
        if (part->size_bytes == 0)
            continue;
        const Datatype *one = element_of(*part);
        if (!one || (element && one != element))
            return type.basic; // parts that do not occur may have another type
        element = one;
    }
    return element;
}

// Alignments are powers of 2.
bool is_aligned_for(const Datatype &element, const void *address) {
    return (reinterpret_cast<uintptr_t>(address) & (element.alignment - 1U)) == 0;
}

// What is done to each element.
struct Combination {
    OpKind kind;
    const Datatype &element;
    OpKernel kernel; // nullptr: MPI_REPLACE or MPI_NO_OP
    Stripes stripes;

    bool is_aligned(const char *address) const { return is_aligned_for(element, address); }
};

// Checks what can be checked of the operation without a datatype. `fetches`: the call returns old
// values.
Error check_accumulate_op(const Op &op, bool fetches) {
    if (!op.predefined)
        return fail(MPI_ERR_OP, "op is an operation of the program, but must be predefined");
    if (!fetches && kind_of(op) == OpKind::NoOp)
        return fail(MPI_ERR_OP, "op is MPI_NO_OP, which fetches: it can be used in "
                                "MPI_Get_accumulate, MPI_Rget_accumulate and MPI_Fetch_and_op");
    return success;
}

// Returns whether the operation is defined on all datatypes: it copies or does nothing.
bool is_defined_on_all(const Op &op) {
    return kind_of(op) == OpKind::Replace || kind_of(op) == OpKind::NoOp;
}

OpKernel kernel_of(const Op &op, const Datatype &element) {
    return is_defined_on_all(op) ? nullptr : find_kernel(op, element);
}

// Checks that all elements of `type` are like `element`. `name`: the argument, for the message.
Error check_same_element(const char *name, const Datatype &type, const Datatype &element) {
    const Datatype *own = element_of(type);
    // Types with the same representation may be mixed: MPI_LONG and MPI_INT64_T.
    if (own && (own == &element || (own->kind == element.kind && own->kind != BasicKind::Pair &&
                                    own->size_bytes == element.size_bytes))) [[likely]]
        return success;
    char text[type_text_bytes], wanted[type_text_bytes];
    describe(type, text, sizeof text);
    describe(element, wanted, sizeof wanted);
    return fail(MPI_ERR_TYPE, "%s is %s, but the target's elements are %s", name, text, wanted);
}

// Combines `count` dense elements while the caller holds the stripe of `target`. `in` and `out` may
// be null. Kernels need aligned elements; others are combined in an aligned copy, one by one.
void combine_held(const Combination &c, char *target, const char *in, char *out, Count count) {
    auto size_bytes = static_cast<size_t>(count * c.element.extent);
    if (out)
        std::memcpy(out, target, size_bytes);
    if (!in)
        return;
    if (!c.kernel) {
        if (c.kind == OpKind::Replace)
            std::memcpy(target, in, size_bytes);
        return;
    }
    if (c.is_aligned(target) && c.is_aligned(in)) [[likely]] {
        c.kernel(in, target, count);
        return;
    }
    alignas(16) char aligned_in[element_bytes_max], aligned_target[element_bytes_max];
    auto element_bytes = static_cast<size_t>(c.element.extent);
    for (Count i = 0; i < count; ++i, target += element_bytes, in += element_bytes) {
        std::memcpy(aligned_in, in, element_bytes);
        std::memcpy(aligned_target, target, element_bytes);
        c.kernel(aligned_in, aligned_target, 1);
        std::memcpy(target, aligned_target, element_bytes);
    }
}

// Combines `count` elements whose extent is their size. `in` or `out` may be a null pointer.
void combine_dense(const Combination &c, StripeHold &hold, char *target, const char *in, char *out,
                   Count count) {
    if (count == 1) { // needs no division
        hold.hold(target);
        combine_held(c, target, in, out, 1);
        return;
    }
    Count element_bytes = c.element.extent;
    while (count > 0) {
        // The elements that begin in this stripe: the last of them may end in the next one. It
        // belongs to the stripe of its first byte, so this lock suffices.
        Count room = hold.hold(target) - target;
        Count here = std::min(count, (room + element_bytes - 1) / element_bytes);
        combine_held(c, target, in, out, here);
        Count done = here * element_bytes;
        target += done;
        in = in ? in + done : nullptr;
        out = out ? out + done : nullptr;
        count -= here;
    }
}

// Combines a pair with gaps: only its values are read and written, as the program may use the gaps.
// `in` and `out` have the same gaps.
void combine_gapped(const Combination &c, StripeHold &hold, char *target, const char *in,
                    char *out) {
    hold.hold(target);
    if (out)
        copy_typed(target, 1, c.element, out, 1, c.element);
    if (!in)
        return;
    if (!c.kernel) {
        if (c.kind == OpKind::Replace)
            copy_typed(in, 1, c.element, target, 1, c.element);
        return;
    }
    if (c.is_aligned(target)) {
        c.kernel(in, target, 1);
        return;
    }
    alignas(16) char aligned[element_bytes_max];
    copy_typed(target, 1, c.element, aligned, 1, c.element);
    c.kernel(in, aligned, 1);
    copy_typed(aligned, 1, c.element, target, 1, c.element);
}

// Moves the cursor over `size_bytes` of data, which may be in several runs.
void skip(Cursor &cursor, size_t size_bytes) {
    while (size_bytes > 0) {
        size_t here = std::min(size_bytes, cursor.left());
        cursor.skip_bytes(here);
        size_bytes -= here;
    }
}

// A piece of a buffer as an array of elements on the stack. load() and store() move elements in the
// order of the buffer's type map.
struct Piece {
    alignas(64) char array[piece_bytes];

    void load(const OriginBuffer &buffer, size_t first, Count count, const Datatype &element) {
        auto element_bytes = static_cast<size_t>(element.size_bytes);
        size_t size_bytes = static_cast<size_t>(count) * element_bytes;
        if (element.contiguous) {
            pack_bytes(buffer.address, buffer.count, buffer.type, first * element_bytes, size_bytes,
                       array);
            return;
        }
        char packed[piece_bytes];
        pack_bytes(buffer.address, buffer.count, buffer.type, first * element_bytes, size_bytes,
                   packed);
        unpack_bytes(packed, 0, size_bytes, array, count, element);
    }

    void store(const OriginBuffer &buffer, size_t first, Count count,
               const Datatype &element) const {
        auto element_bytes = static_cast<size_t>(element.size_bytes);
        size_t size_bytes = static_cast<size_t>(count) * element_bytes;
        const char *packed = array;
        char room[piece_bytes];
        if (!element.contiguous) {
            pack_bytes(array, count, element, 0, size_bytes, room);
            packed = room;
        }
        unpack_bytes(packed, first * element_bytes, size_bytes, buffer.address, buffer.count,
                     buffer.type);
    }
};

// Combines the next `count` elements of the target, at `cursor`, and advances it. Runs are walked
// as they come; the lock changes with the stripe.
void combine_run_by_run(const Combination &c, Cursor &cursor, const char *in, char *out,
                        Count count) {
    StripeHold hold(c.stripes);
    auto element_bytes = static_cast<size_t>(c.element.size_bytes);
    while (count > 0) {
        Count here = 1;
        if (c.element.contiguous) {
            here = std::min(count, static_cast<Count>(cursor.left() / element_bytes));
            combine_dense(c, hold, cursor.address(), in, out, here);
            cursor.skip_bytes(static_cast<size_t>(here) * element_bytes);
        } else {
            combine_gapped(c, hold, cursor.address(), in, out);
            skip(cursor, element_bytes);
        }
        in = in ? in + here * c.element.extent : nullptr;
        out = out ? out + here * c.element.extent : nullptr;
        count -= here;
    }
}

// The target's elements: the first `combined` of them are combined with the origin's; all are
// fetched if there is a result.
struct Extents {
    Count combined;
    Count fetched;
};

// Goes through both buffers piece by piece: a piece of the origin is loaded into an array, combined
// with the target run by run, and the result is stored.
void combine_scattered(const Combination &c, const OriginBuffer *origin, const OriginBuffer *result,
                       Cursor &cursor, Extents elements) {
    Piece in, out;
    Count all = std::max(elements.combined, elements.fetched);
    Count piece = std::max<Count>(1, piece_bytes / c.element.extent);
    for (Count done = 0; done < all;) {
        Count here = std::min(piece, all - done);
        // Where the origin ends before the target, only the result continues.
        bool combines = done < elements.combined;
        if (combines)
            here = std::min(here, elements.combined - done);
        auto first = static_cast<size_t>(done);
        if (combines)
            in.load(*origin, first, here, c.element);
        combine_run_by_run(c, cursor, combines ? in.array : nullptr, result ? out.array : nullptr,
                           here);
        if (result)
            out.store(*result, first, here, c.element);
        done += here;
    }
}

// Returns whether all buffers have equally many elements of one predefined datatype: the usual
// case, in which sizes and types agree.
bool are_alike(const OriginBuffer *origin, const OriginBuffer *result, const TargetBuffer &target) {
    auto is_like_target = [&](const OriginBuffer *buffer) {
        return !buffer || (&buffer->type == &target.type && buffer->count == target.count);
    };
    return target.type.predefined && is_like_target(origin) && is_like_target(result);
}

// Checks that the origin's data fit into the target buffer, and the target's into the result
// buffer.
Error check_extents(const OriginBuffer *origin, const OriginBuffer *result,
                    const TargetBuffer &target) {
    size_t room_bytes = data_bytes(target.count, target.type);
    size_t origin_bytes = origin ? data_bytes(origin->count, origin->type) : 0;
    if (origin_bytes > room_bytes)
        return too_long("the origin buffer", static_cast<Count>(origin_bytes), "the target buffer",
                        static_cast<Count>(room_bytes));
    size_t result_bytes = result ? data_bytes(result->count, result->type) : room_bytes;
    if (room_bytes > result_bytes)
        return too_long("the target buffer", static_cast<Count>(room_bytes), "the result buffer",
                        static_cast<Count>(result_bytes));
    return success;
}

// Finds the datatype of all elements, and checks that the operation is defined on it.
Error check_types(const OriginBuffer *origin, const OriginBuffer *result,
                  const TargetBuffer &target, const Op &op, const Datatype *&element) {
    element = element_of(target.type);
    if (!element) {
        char text[type_text_bytes];
        return fail(MPI_ERR_TYPE,
                    "target_datatype is %s, which has basic components of several datatypes",
                    describe(target.type, text, sizeof text));
    }
    if (!is_defined_on_all(op))
        if (Error error = check_op(op, *element))
            return error;
    if (origin)
        if (Error error = check_same_element("origin_datatype", origin->type, *element))
            return error;
    return result ? check_same_element("result_datatype", result->type, *element) : success;
}

// Returns how many elements the buffers have, whatever their datatypes.
Extents count_elements(const OriginBuffer *origin, const OriginBuffer *result,
                       const TargetBuffer &target, const Datatype &element) {
    auto elements_of = [&](Count count, const Datatype &type) {
        return static_cast<Count>(data_bytes(count, type) /
                                  static_cast<size_t>(element.size_bytes));
    };
    return {origin ? elements_of(origin->count, origin->type) : 0,
            result ? elements_of(target.count, target.type) : 0};
}

// Combines at memory that is accessible from here.
void combine_here(const Combination &c, const OriginBuffer *origin, const OriginBuffer *result,
                  const TargetBuffer &target, char *address, Extents elements) {
    bool dense = c.element.contiguous && target.type.contiguous &&
                 (!origin || origin->type.contiguous) && (!result || result->type.contiguous);
    if (!dense) {
        Cursor cursor(address, target.count, target.type, 0);
        combine_scattered(c, origin, result, cursor, elements);
        return;
    }
    StripeHold hold(c.stripes);
    auto *in = origin ? static_cast<const char *>(origin->address) : nullptr;
    auto *out = result ? static_cast<char *>(result->address) : nullptr;
    combine_dense(c, hold, address, in, out, elements.combined);
    if (Count rest = elements.fetched - elements.combined; rest > 0) {
        Count done = elements.combined * c.element.extent;
        combine_dense(c, hold, address + done, nullptr, out + done, rest);
    }
}

// Does all accumulates but compare-and-swap. `origin` is a null pointer for MPI_NO_OP, `result` if
// nothing is fetched. The order of the checks is: operation, epoch and range, sizes, datatypes.
Error combine(const OriginBuffer *origin, const OriginBuffer *result, const TargetBuffer &target,
              const Op &op, Window &win, OneSidedRequest *request) MAY_SUSPEND {
    if (Error error = check_accumulate_op(op, result != nullptr))
        return error;
    if (target.rank == MPI_PROC_NULL)
        return success;
    char *address;
    if (Error error = locate(target, win, address))
        return error;
    const size_t size_bytes = data_bytes(target.count, target.type);
    const Datatype *element = &target.type;
    Extents elements{origin ? target.count : 0, result ? target.count : 0};
    if (are_alike(origin, result, target)) [[likely]] {
        if (size_bytes > 0 && !is_defined_on_all(op))
            if (Error error = check_op(op, *element))
                return error;
    } else {
        if (Error error = check_extents(origin, result, target))
            return error;
        if (size_bytes > 0) { // no data: any datatypes will do
            if (Error error = check_types(origin, result, target, op, element))
                return error;
            elements = count_elements(origin, result, target, *element);
        }
    }
    count_rma(win, Counted::Accumulate, size_bytes);
    if (size_bytes == 0)
        return success;
    const WindowPart &part = win.parts[target.rank];
    if (part.is_accessible()) [[likely]]
        combine_here({kind_of(op), *element, kernel_of(op, *element),
                      stripes_of(part.mapped, win.stripe_shift)},
                     origin, result, target, address, elements);
    else if (Error error = combine_remotely(
                 {origin, result, kind_of(op), *element, elements.combined, elements.fetched},
                 target, address, win, request))
        return error;
    if (has_buffer_checks()) [[unlikely]]
        watch_operation({.kind = AccessKind::Accumulate,
                         .reads = origin,
                         .writes = result,
                         .op = origin ? kind_of(op) : OpKind::NoOp},
                        target, address, win, request);
    return success;
}

// Calls combine() while nobody else combines anything with the element at `address`.
template <class Combine>
[[gnu::always_inline]] inline void combine_alone(const TargetBuffer &target, const Window &win,
                                                 const char *address, Combine combine) {
    if (has_alone(win, target.rank)) {
        combine();
        return;
    }
    const Stripes stripes = stripes_of(win.parts[target.rank].mapped, win.stripe_shift);
    LockGuard guard(stripes.lock_of(stripes.stripe_of(address)));
    combine();
}

// Does what combine_element() does, for all operations and types that have a kernel.
[[gnu::noinline]] bool combine_any_element(const Op &op, const TargetBuffer &target,
                                           const Window &win, char *address, const void *in,
                                           void *out) {
    const Datatype &element = target.type;
    const OpKind kind = kind_of(op);
    const OpKernel kernel = find_basic_kernel(op, element);
    const bool copies = op.predefined && (kind == OpKind::Replace || (kind == OpKind::NoOp && out));
    if ((!kernel && !copies) || !is_aligned_for(element, address) || !is_aligned_for(element, in))
        [[unlikely]]
        return false;
    const auto size_bytes = static_cast<size_t>(element.size_bytes);
    combine_alone(target, win, address, [&] {
        if (out)
            copy_element(out, address, size_bytes);
        if (kernel)
            kernel(in, address, 1);
        else if (kind == OpKind::Replace)
            copy_element(address, in, size_bytes);
    });
    return true;
}

// Combines one element, if the operation is one of the short path (rma/element.h): false leaves it
// to combine(). `address` is from element_at().
inline bool combine_element(const Op &op, const TargetBuffer &target, const Window &win,
                            char *address, const void *in, void *out) {
    if (!address) [[unlikely]]
        return false;
    if (!adds_words(op, target.type) || !are_aligned_words(address, in))
        return combine_any_element(op, target, win, address, in, out);
    add_word_at(address, in, out, target, win);
    return true;
}

// Checks that a call for single elements was given a predefined datatype.
Error check_predefined(const Datatype &type) {
    if (type.predefined) [[likely]]
        return success;
    char text[type_text_bytes];
    return fail(MPI_ERR_TYPE, "datatype is %s, but must be predefined",
                describe(type, text, sizeof text));
}

// Does what fetch_and_op() does, for every element.
[[gnu::noinline]] Error fetch_and_combine(const void *origin, void *result,
                                          const TargetBuffer &target, const Op &op,
                                          Window &win) MAY_SUSPEND {
    if (Error error = check_predefined(target.type))
        return error;
    OriginBuffer in{const_cast<void *>(origin), 1, target.type};
    OriginBuffer out{result, 1, target.type};
    return combine(reads_origin(op) ? &in : nullptr, &out, target, op, win, nullptr);
}

} // namespace

void add_word_in_stripe(void *to, const void *from, void *old, const WindowPart &part, int shift) {
    const Stripes stripes = stripes_of(part.mapped, shift);
    LockGuard guard(stripes.lock_of(stripes.stripe_of(static_cast<char *>(to))));
    add_word(to, from, old);
}

bool reads_origin(const Op &op) {
    return kind_of(op) != OpKind::NoOp || !op.predefined;
}

Error accumulate(const OriginBuffer &origin, const TargetBuffer &target, const Op &op, Window &win,
                 OneSidedRequest *request) {
    char *address = element_at(origin, target, win);
    if (combine_element(op, target, win, address, origin.address, nullptr)) [[likely]]
        return success;
    return combine(&origin, nullptr, target, op, win, request);
}

Error get_accumulate(const OriginBuffer *origin, const OriginBuffer &result,
                     const TargetBuffer &target, const Op &op, Window &win,
                     OneSidedRequest *request) {
    return combine(origin, &result, target, op, win, request);
}

Error fetch_and_op(const void *origin, void *result, const TargetBuffer &target, const Op &op,
                   Window &win) {
    char *address = element_at(target, win);
    if (combine_element(op, target, win, address, origin, result)) [[likely]]
        return success;
    return fetch_and_combine(origin, result, target, op, win);
}

// Section 12.3.4 restricts the types. The operation takes the lock of the stripe like any other, so
// that it is atomic against all accumulates.
Error compare_and_swap(const void *origin, const void *compare, void *result,
                       const TargetBuffer &target, Window &win) {
    if (Error error = check_predefined(target.type))
        return error;
    switch (target.type.group) {
    case BasicGroup::CInteger:
    case BasicGroup::FortranInteger:
    case BasicGroup::Logical:
    case BasicGroup::MultiLanguage:
    case BasicGroup::Byte:
        break;
    default:
        char text[type_text_bytes];
        return fail(MPI_ERR_TYPE,
                    "datatype is %s, but must be an integer, a logical, a multi-language type or "
                    "MPI_BYTE",
                    describe(target.type, text, sizeof text));
    }
    if (target.rank == MPI_PROC_NULL)
        return success;
    char *address;
    if (Error error = locate(target, win, address))
        return error;
    auto size_bytes = static_cast<size_t>(target.type.size_bytes);
    count_rma(win, Counted::Accumulate, size_bytes);
    const WindowPart &part = win.parts[target.rank];
    if (part.is_accessible()) [[likely]]
        swap_if_equal(address, compare, origin, result, size_bytes,
                      stripes_of(part.mapped, win.stripe_shift));
    else if (Error error = compare_and_swap_remotely(origin, compare, result, target, address, win))
        return error;
    if (has_buffer_checks()) [[unlikely]] {
        const OriginBuffer in{const_cast<void *>(origin), 1, target.type};
        const OriginBuffer compared{const_cast<void *>(compare), 1, target.type};
        const OriginBuffer out{result, 1, target.type};
        watch_operation({.kind = AccessKind::CompareAndSwap,
                         .reads = &in,
                         .writes = &out,
                         .compares = &compared},
                        target, address, win, nullptr);
    }
    return success;
}

// Packed data of one origin are dense elements. Unless the target is dense, too, they are treated
// as a buffer of bytes, which combine_scattered() can walk.
void combine_packed(OpKind op, const Datatype &element, const void *in, void *out,
                    const PackedTarget &target, const Stripes &stripes) {
    Op predefined;
    predefined.predefined = true;
    predefined.kind = static_cast<int>(op);
    Combination c{op, element, kernel_of(predefined, element), stripes};
    const Count count =
        static_cast<Count>(target.size_bytes / static_cast<size_t>(element.size_bytes));
    auto *from = static_cast<const char *>(in);
    auto *to = static_cast<char *>(out);
    if (!target.type && element.contiguous) {
        StripeHold hold(stripes);
        return combine_dense(c, hold, target.address, from, to, count);
    }
    const Datatype &byte = *find_datatype(MPI_BYTE);
    const OriginBuffer origin{const_cast<char *>(from), static_cast<Count>(target.size_bytes),
                              byte};
    const OriginBuffer result{to, static_cast<Count>(target.size_bytes), byte};
    const Extents elements{in ? count : 0, out ? count : 0};
    Cursor cursor(target.address,
                  target.type ? target.count : static_cast<Count>(target.size_bytes),
                  target.type ? *target.type : byte, target.first_byte);
    combine_scattered(c, in ? &origin : nullptr, out ? &result : nullptr, cursor, elements);
}

void swap_if_equal(char *address, const void *compare, const void *origin, void *result,
                   size_t size_bytes, const Stripes &stripes) {
    StripeHold hold(stripes);
    hold.hold(address);
    bool equal = std::memcmp(address, compare, size_bytes) == 0;
    std::memcpy(result, address, size_bytes);
    if (equal)
        std::memcpy(address, origin, size_bytes);
}

} // namespace thrum
