// Reductions between node processes. Members of a process are combined first, in the order of their
// ranks; then the processes' results, along a tree whose subtrees are runs of neighbours: the
// combination depends on who is where alone, never on timing or on the root (section 6.9.1).
//
// Where the operation does not commute and a process's ranks are not neighbours, all contributions
// travel, and are combined in the order of ranks.
#pragma once
#include "coll/combine.h"
#include "exchange/process_tree.h"

#include <memory>
#include <vector>

namespace thrum {

// A vector of the operation's type in memory of our own.
class Accumulator {
public:
    Accumulator(Count count, const Datatype &type)
        : span_(count, type), bytes_(new char[static_cast<size_t>(span_.size_bytes) + 1]) {}

    char *elements() const { return bytes_.get() + span_.origin; }

private:
    VectorSpan span_;
    std::unique_ptr<char[]> bytes_;
};

Packet pack_vector(const char *elements, Count count, const Datatype &type);
void unpack_vector(const Packet &packet, char *elements, Count count, const Datatype &type);

// What the members of one side contribute, as this process sees it.
struct Reducing {
    Joint &joint;
    int side;              // whose members contribute
    const Reduction &mine; // of any member here: count, datatype and operation are the same at all
    Combiner combiner;
    std::vector<const Contribution *> contributions; // of members here, in rank order

    Reducing(Joint &operation, int contributing);

    Count count() const { return mine.mine.count; }

    const Datatype &type() const { return *mine.mine.type; }

    bool in_rank_order() const {
        return !mine.op->commutative && !joint.span.sides[side].consecutive;
    }

    // Everybody here must contribute as many bytes as the others. False: nothing may be combined.
    bool check_size(size_t size_bytes) const;
};

// Those of members here, one by one, to process `index`.
void send_contributions(Reducing &reducing, int index) MAY_SUSPEND;
// Those of all ranks, by rank. None if they are of different sizes.
Flow collect_contributions(Reducing &reducing, std::vector<Packet> &packets);

// The position in `list` of the root at process `index`, which is added if it is missing.
int add_root(std::vector<int> &list, int index);
// The result of the contributions of the processes of `list` into `result` at the one at position
// `root`. Processes that have no contribution may be in the list only as the root, and last.
Flow reduce_to(Reducing &reducing, const std::vector<int> &list, int root, char *result);

} // namespace thrum
