// Layout: the normal form of a datatype's data, an immutable tree of which every node says where
// the next bytes of the packed form lie, relative to an address.
//
//   Run   count blocks of block_bytes, stride apart           (leaf; a dense block is a Run of one)
//   Loop  count times the child, stride apart
//   List  count entries, each a dense block or a layout, at offsets without a rule
//
// Invariants:
//  1. The order of the tree is the order of the type map. In every node size_bytes > 0; a null
//     pointer stands for "no data".
//  2. Neighbours are merged: no Run has stride == block_bytes and count > 1, no Loop's child could
//     be merged with it, no List has entries that touch or that a Run or Loop could express.
//  3. depth <= layout_depth_max: each Loop at least doubles the size, and a List is flattened into
//     its parent when Lists nest deeper than list_depth_max. So walkers need no recursion.
//  4. Nodes are shared between datatypes and counted.
#pragma once
#include "datatype/datatype.h"

#include <vector>

namespace thrum {

inline constexpr int list_depth_max = 8;
inline constexpr int layout_depth_max =
    144; // 8 Lists, 63 Loops that double, a List between each, slack

// An entry of a List. Its data end where those of the next entry start.
struct LayoutEntry {
    Count offset;         // relative to the List
    Count start;          // bytes of packed data before this entry
    const Layout *layout; // nullptr: a dense block that ends where the next entry starts
};

// A node; immutable once made. Reference counts are the only field that changes.
struct Layout {
    enum class Kind : uint8_t { Run, Loop, List };
    Kind kind = Kind::Run;
    uint8_t depth = 0;        // levels of Loop and List
    bool only_blocks = false; // a List whose entries are all dense blocks
    Count size_bytes = 0;
    Count offset = 0; // from the parent's position
    Count count = 1;
    Count stride = 0;                     // Run, Loop
    Count block_bytes = 0;                // Run
    const Layout *child = nullptr;        // Loop
    const LayoutEntry *entries = nullptr; // List: count entries and a sentinel whose start is size
    mutable std::atomic<int> references{1};

    // Returns whether it is a dense block.
    bool is_block() const { return kind == Kind::Run && count == 1; }
};

// The functions below return new references, which the caller releases; nullptr stands for no data.
// Arguments are not consumed.
const Layout *retain_layout(const Layout *layout);
void release_layout(const Layout *layout);

// Makes a dense block.
const Layout *make_block(Count offset, Count size_bytes);
// Makes `count` times `layout`, stride bytes apart.
const Layout *make_repeated(const Layout *layout, Count count, Count stride);
// Makes the same layout, `offset` bytes further on.
const Layout *make_shifted(const Layout *layout, Count offset);

// Tests whether `count` times `child`, stride apart, is still one Run, and stores it in `run`.
bool repeat_as_run(const Layout &child, Count count, Count stride, Layout &run);

// Collects pieces in the order of the type map, and makes the smallest layout that is equivalent.
class ListBuilder {
public:
    ~ListBuilder();
    // Adds `copies` elements of a datatype with `layout` and `extent`, the first at `offset`.
    void add(Count offset, const Layout *layout, Count copies, Count extent);
    // Returns the layout of all pieces. Call it once, at the end.
    const Layout *finish();

private:
    // An entry of the List that is being built.
    struct Piece {
        Count offset;
        Count size_bytes;
        const Layout *layout; // nullptr: a dense block; else a counted reference
    };

    // Steps of add() and finish(); see layout.cc.
    void add_block(Count offset, Count size_bytes);
    void add_layout(Count offset, const Layout &layout);
    void flatten(Count offset, const Layout &list);
    void flatten_all();
    const Layout *find_rule() const;
    const Layout *make_list() const;

    std::vector<Piece> pieces_;
    // The last repetition, kept so that equal blocks of an indexed datatype share one node.
    const Layout *repeated_ = nullptr;
    const Layout *repeated_of_ = nullptr;
    Count repeated_copies_ = 0;
    Count repeated_extent_ = 0;
};

} // namespace thrum
