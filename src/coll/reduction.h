// What reductions have in common in all forms. Contributions are always combined in the order of
// their members, whichever members do it and on however many workers. Section 6.9.1: the result
// should be the same whenever the function is applied to the same arguments appearing in the same
// order.
#pragma once
#include "exchange/process_tree.h"
#include "meeting/collective_call.h"
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/request.h"
#include "pending/work.h"

#include <memory>
#include <vector>

namespace thrum {

// The contributions of all members: a table of addresses, with one entry per member. It refers to
// what the members have published.
class Published {
public:
    // `table`: member 0's entry; the others follow at distances of `entry_bytes`. A contribution is
    // at `offset_bytes` of what its entry points to.
    Published(const void *table, size_t entry_bytes, size_t offset_bytes = 0)
        : table_(static_cast<const char *>(table)), entry_bytes_(entry_bytes),
          offset_bytes_(offset_bytes) {}

    explicit Published(const Attendance &attendance)
        : Published(attendance.arguments(), sizeof(Slot)) {}

    const Contribution &operator[](int member) const {
        const char *entry = table_ + static_cast<size_t>(member) * entry_bytes_;
        return *reinterpret_cast<const Contribution *>(
            *reinterpret_cast<const char *const *>(entry) + offset_bytes_);
    }

private:
    const char *table_;
    size_t entry_bytes_, offset_bytes_;
};

// The size of `count` elements of a datatype in memory, and where element 0 is in it.
struct VectorSpan {
    Count size_bytes = 0;
    Count origin = 0;
    VectorSpan(Count count, const Datatype &type);
};

// Copies `count` elements of a datatype; `from` and `to` are the addresses of element 0.
void copy_elements(const char *from, char *to, Count count, const Datatype &type);

// Applies the operation; passes the arguments that a user's function requires.
class Combiner {
public:
    explicit Combiner(const Reduction &reduction)
        : op_(*reduction.op), type_(const_cast<Datatype &>(*reduction.mine.type)),
          handle_(handle_of(type_)) {}

    // accumulator = left op accumulator
    void onto(const char *left, char *accumulator, Count count) const {
        reduce_local(op_, left, accumulator, count, type_, handle_);
    }

    void copy(const char *from, char *to, Count count) const {
        copy_elements(from, to, count, type_);
    }

    const Datatype &type() const { return type_; }

private:
    const Op &op_;
    Datatype &type_;
    MPI_Datatype handle_;
};

// A run of elements: [first, end).
struct Range {
    Count first;
    Count end;
};

// Returns worker `index`'s part of `count` elements, of `workers`.
inline Range part_of(Count count, int index, int workers) {
    return {count / workers * index + count % workers * index / workers,
            count / workers * (index + 1) + count % workers * (index + 1) / workers};
}

// Returns the first of `from` that does not contribute `size_bytes` bytes; -1 if all do.
int find_odd_size(const Published &published, Contributors from, size_t size_bytes);
// Returns the first of `from` whose size or datatype is another one than in `mine`; -1: none.
// Another datatype may have an equal signature.
int find_odd(const Published &published, Contributors from, const Contribution &mine);
// Returns whether the members from `odd` on, found by find_odd(), contribute as much as this one,
// and of the same basic types. Otherwise records a dispute.
[[gnu::cold]] bool odd_ones_agree(Attendance &attendance, int odd, Contributors from);

// Computes destination[i] = contribution of the first op ... op of the last, for i in `range`.
// `destination` is the address of element 0 and may be one of the contributions.
void combine_range(const Published &published, const Combiner &combiner, Contributors from,
                   Range range, char *destination);

// The two steps of the reduction of a small vector. The first combines each leaf's contributions,
// which have one size; the second combines `leaf_count` leaves, `stride_bytes` apart, into
// `scratch`.
void combine_leaf(const Published &published, const Combiner &combiner, Contributors leaf,
                  Count count, Partial &partial);
void combine_leaves(const Partial &first, size_t stride_bytes, int leaf_count,
                    const Combiner &combiner, Count count, ScratchBuffer &scratch);
// Copies the result of combine_leaves(), or the caller's share of it, to its place.
void take_combined(const ScratchBuffer &scratch, const CollectiveCall &call);

// Reduces a small vector in one round: the last member of each leaf combines the leaf, the last of
// all combines the leaves' results. Afterwards the result is in the round's scratch buffer.
Error combine_small(Attendance &attendance, const Reduction &reduction) MAY_SUSPEND;

// Larger vectors are split among the members. Measured in coll_bench.cc.
inline constexpr size_t small_reduction_bytes_max = 8192;

// Blocking, large: a vector is split into ranges, each combined by one member.

inline constexpr size_t range_bytes_min = 4096; // a smaller range does not pay

// Returns how many of `members` work on a vector. They are spread evenly over the ranks, so that
// all cores take part.
int workers_for(size_t size_bytes, int members);
// Returns the rank of a worker.
int rank_of_worker(int worker, int workers, int members);
// Returns which worker `rank` is, or -1.
int worker_of_rank(int rank, int workers, int members);

// Returns whether the members of the caller's leaf contribute equally much; records a dispute if
// not. Called by the last arrival of the leaf.
bool leaf_has_equal_sizes(Attendance &attendance);
// Does the same for all leaves; called by the last arrival of all.
bool leaves_have_equal_sizes(Attendance &attendance);

// Meets, and checks that all members contribute equally much; otherwise no member may read
// another's buffer. The last arrival of each leaf compares its leaf, the last of all compares the
// leaves, so the cost is linear in the number of members. Calls prepare() between the last arrival
// and the completion.
template <class Prepare>
Error meet_with_equal_sizes(Attendance &attendance, Prepare prepare) MAY_SUSPEND {
    if (attendance.arrive(Attendance::Until::Complete)) {
        if (!attendance.disputed())
            (void)leaf_has_equal_sizes(attendance);
        if (attendance.finish_leaf()) {
            if (!attendance.disputed() && leaves_have_equal_sizes(attendance))
                prepare();
            attendance.complete();
        } else {
            attendance.wait(Attendance::Until::Complete);
        }
    }
    return attendance.verdict();
}

inline Error meet_with_equal_sizes(Attendance &attendance) MAY_SUSPEND {
    return meet_with_equal_sizes(attendance, [] {});
}

// Non-blocking and persistent. Small: the last of a leaf combines the contributions of its leaf,
// and the last of all combines the leaves' results. Large: pieces, each from all send buffers.

// Returns the contributions of the members that have arrived.
Published contributions(const CollectiveOperation &operation);

inline bool is_small(const CollectiveRequest &request) {
    return !request.comm->inter &&
           request.call.reduction.mine.size_bytes <= small_reduction_bytes_max;
}

inline Combiner combiner_of(const CollectiveRequest &request) {
    return Combiner(request.call.reduction);
}

// Compares the sizes in a leaf, and combines its contributions if they are small. Called by the
// last member of the leaf. Returns true if it has combined.
bool combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;
// Counts the leaf in; called by the last member of the leaf. Returns true for the last of all if
// all members agree: a small result is in the scratch buffer then. Otherwise all get an error.
bool finish_leaves(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;

// Counts the request in. Returns true for the last of all, like finish_leaves().
inline bool join_reduction(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    operation.requests[request.member] = &request;
    if (!operation.arrive_at_leaf(request.member))
        return false;
    combine_own_leaf(operation, request);
    return finish_leaves(operation, request);
}

// Takes a small result from the scratch buffer.
void take_reduced(CollectiveRequest &request);

// Records that two members with these announcements contribute different numbers of bytes.
void record_sizes(CollectiveOperation &operation, uint64_t call, size_t size_bytes,
                  uint64_t their_call, size_t their_bytes);
// Records that the types of two members differ.
void record_types(CollectiveOperation &operation, uint64_t call, Error error);
// Returns whether all waiting members contribute equally much; records a dispute if not.
bool members_agree(CollectiveOperation &operation);

inline constexpr size_t piece_bytes = 16384; // of a large reduction: stays in the cache

// Return the elements of a piece of a reduction, of at least `bytes` bytes, and the number of
// pieces.
Range range_of(const Reduction &reduction, int piece, size_t bytes);
int pieces_of(const Reduction &reduction, size_t bytes);

// Between node processes. The members of a process are combined first, in rank order. Then the
// processes' results are combined along a tree whose subtrees are runs of neighbours, so the result
// depends only on where the ranks are, never on timing or on the root (section 6.9.1). If the
// operation does not commute and a process's ranks are not consecutive, all contributions are sent
// and combined in rank order.

// A vector of the operation's type in memory of the library.
class Accumulator {
public:
    Accumulator(Count count, const Datatype &type)
        : span_(count, type), bytes_(new char[static_cast<size_t>(span_.size_bytes) + 1]) {}

    char *elements() const { return bytes_.get() + span_.origin; }

private:
    VectorSpan span_;
    std::unique_ptr<char[]> bytes_;
};

// Convert between elements and a packet of packed data.
SharedBytes pack_vector(const char *elements, Count count, const Datatype &type);
void unpack_vector(const SharedBytes &packet, char *elements, Count count, const Datatype &type);

// What is known of another member's contribution.
struct OtherContribution {
    int member;
    size_t size_bytes;
    RemoteTypes types;
    uint64_t call; // code of its call site; 0: unknown
};

// The contributions of one side's members, as this process sees them.
struct Reducing {
    ProcessPart &part;
    int side;     // the side whose members contribute
    size_t owner; // a local member, whose arguments count: those of the others should be equal
    const Reduction &mine; // its arguments
    Combiner combiner;
    std::vector<const Contribution *> contributions; // of local members, in rank order

    Reducing(ProcessPart &operation, int contributing);

    Count count() const { return mine.mine.count; }

    const Datatype &type() const { return *mine.mine.type; }

    // Returns whether all contributions must be combined in rank order at one place.
    bool in_rank_order() const {
        return !mine.op->commutative && !part.span.sides[side].consecutive;
    }

    // Compares what a member contributes with `mine`. Returns false, and blames all local members,
    // if the sizes differ: then nothing may be combined. A difference of types is only noted.
    bool accepts(const OtherContribution &other) const;
    // Do this for local members: the `k`th contributor, or all of them.
    bool accepts_local(size_t k) const;
    bool accepts_all_here() const;
    // Does this for the packet that was just received from process `index`.
    bool accepts_packet(int index, const SharedBytes &packet) const;

    // Returns what packets say of the types: those of the first member, which stands for its
    // process. Nobody contributes in a root's group.
    RemoteTypes types() const {
        const Contribution &first = contributions.empty() ? mine.mine : *contributions[0];
        return remote_types({first.type, first.size_bytes});
    }
};

// Sends the contributions of local members, one by one, to process `index`.
void send_contributions(Reducing &reducing, int index) MAY_SUSPEND;
// Collects the contributions of all ranks, by rank. Leaves `packets` empty if their sizes differ.
Flow collect_contributions(Reducing &reducing, std::vector<SharedBytes> &packets) MAY_SUSPEND;

// Returns the position in `list` of the root at process `index`, which is added if it is missing.
int add_root(std::vector<int> &list, int index);
// Combines the contributions of the processes of `list` into `result` at position `root`. Processes
// without a contribution may be in the list only as the root, and last.
Flow reduce_to(Reducing &reducing, const std::vector<int> &list, int root,
               char *result) MAY_SUSPEND;

} // namespace thrum
