// Builds layouts in their normal form (layout.h). make_repeated() and make_shifted() merge with
// their child where invariant 2 asks for it. ListBuilder collects the pieces of irregular
// datatypes, and finds a Run or Loop if they are regular after all.
#include "datatype/layout.h"

#include "base/check.h"

namespace thrum {
namespace {

// Lists up to this length are merged into their parent, so that touching blocks can merge.
constexpr Count short_list_entries = 16; // longer ones stay nodes of their own

// Returns a new node with the same child. Not for Lists: their entries belong to one node.
Layout *copy_node(const Layout &layout) {
    auto *copy = new Layout;
    copy->kind = layout.kind;
    copy->depth = layout.depth;
    copy->size_bytes = layout.size_bytes;
    copy->offset = layout.offset;
    copy->count = layout.count;
    copy->stride = layout.stride;
    copy->block_bytes = layout.block_bytes;
    copy->child = retain_layout(layout.child);
    CHECK(layout.kind != Layout::Kind::List, "entries have one owner");
    return copy;
}

// Makes a Loop and takes over the reference to `child`.
const Layout *new_loop(const Layout *child, Count offset, Count count, Count stride) {
    auto *loop = new Layout;
    loop->kind = Layout::Kind::Loop;
    CHECK(child->depth < layout_depth_max, "depth %d", child->depth);
    loop->depth = static_cast<uint8_t>(child->depth + 1);
    loop->size_bytes = count * child->size_bytes;
    loop->offset = offset;
    loop->count = count;
    loop->stride = stride;
    loop->child = child;
    return loop;
}

// Makes a node a Run; a dense block is a Run of one.
void set_run(Layout &run, Count offset, Count count, Count stride, Count block_bytes) {
    run.kind = Layout::Kind::Run;
    run.depth = 0;
    run.size_bytes = count * block_bytes;
    run.offset = offset;
    run.count = count;
    run.stride = stride;
    run.block_bytes = block_bytes;
}

} // namespace

const Layout *retain_layout(const Layout *layout) {
    if (layout)
        layout->references.fetch_add(1, std::memory_order_relaxed);
    return layout;
}

// A loop over the children of Loops; only Lists need recursion, which is bounded by invariant 3.
void release_layout(const Layout *layout) {
    // acq_rel [layout-1]: the last user sees every other's use done before it frees.
    while (layout && layout->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        const Layout *child = layout->child;
        if (layout->entries) {
            for (Count i = 0; i < layout->count; ++i)
                release_layout(layout->entries[i].layout); // recursion as deep as the tree: bounded
            delete[] layout->entries;
        }
        delete layout;
        layout = child;
    }
}

// A block without bytes is no layout (invariant 1).
const Layout *make_block(Count offset, Count size_bytes) {
    if (size_bytes == 0)
        return nullptr;
    auto *run = new Layout;
    set_run(*run, offset, 1, size_bytes, size_bytes);
    return run;
}

// A dense block repeats as a larger block if the repetitions touch, otherwise as a Run. A Run
// repeats as a longer Run if its stride continues.
bool repeat_as_run(const Layout &child, Count count, Count stride, Layout &run) {
    if (child.kind != Layout::Kind::Run)
        return false;
    if (child.count == 1) {
        if (stride == child.block_bytes)
            set_run(run, child.offset, 1, count * stride, count * stride);
        else
            set_run(run, child.offset, count, stride, child.block_bytes);
        return true;
    }
    // The next repetition must start one stride after this one's last block.
    __int128 span = static_cast<__int128>(child.count) * child.stride;
    if (span != stride)
        return false;
    set_run(run, child.offset, count * child.count, child.stride, child.block_bytes);
    return true;
}

// Merges with the child where that is possible: invariant 2 allows no Loop over a Loop that
// continues its stride.
const Layout *make_repeated(const Layout *layout, Count count, Count stride) {
    if (!layout || count == 0)
        return nullptr;
    if (count == 1)
        return retain_layout(layout);
    Layout run;
    if (repeat_as_run(*layout, count, stride, run))
        return copy_node(run);
    if (layout->kind == Layout::Kind::Loop) {
        if (layout->count == 1) // a shifted List
            return new_loop(retain_layout(layout->child), layout->offset, count, stride);
        if (static_cast<__int128>(layout->count) * layout->stride == stride)
            return new_loop(retain_layout(layout->child), layout->offset, count * layout->count,
                            layout->stride);
    }
    return new_loop(retain_layout(layout), 0, count, stride);
}

const Layout *make_shifted(const Layout *layout, Count offset) {
    if (!layout || offset == 0)
        return retain_layout(layout);
    // its entries have one owner, so a Loop of one carries it
    if (layout->kind == Layout::Kind::List)
        return new_loop(retain_layout(layout), offset, 1, 0);
    Layout *shifted = copy_node(*layout);
    shifted->offset += offset;
    return shifted;
}

// --- ListBuilder ---

// finish() has taken references of its own.
ListBuilder::~ListBuilder() {
    for (Piece &piece : pieces_)
        release_layout(piece.layout);
    release_layout(repeated_);
}

// Dense elements become one block at once. Equal repetitions share one node, which keeps indexed
// datatypes with many equal blocks small.
void ListBuilder::add(Count offset, const Layout *layout, Count copies, Count extent) {
    if (!layout || copies == 0)
        return;
    if (layout->is_block() && layout->block_bytes == extent)
        return add_block(offset + layout->offset, copies * extent);
    if (copies == 1)
        return add_layout(offset, *layout);
    // Resized datatypes share their layout: the extent is part of the key.
    if (layout != repeated_of_ || copies != repeated_copies_ || extent != repeated_extent_) {
        release_layout(repeated_);
        repeated_ = make_repeated(layout, copies, extent);
        repeated_of_ = layout;
        repeated_copies_ = copies;
        repeated_extent_ = extent;
    }
    add_layout(offset, *repeated_);
}

// Extends the last piece if the block touches it.
void ListBuilder::add_block(Count offset, Count size_bytes) {
    if (!pieces_.empty()) {
        Piece &last = pieces_.back();
        if (!last.layout && last.offset + last.size_bytes == offset) {
            last.size_bytes += size_bytes;
            return;
        }
    }
    pieces_.push_back({offset, size_bytes, nullptr});
}

// Adds one element with this layout. Short Lists are flattened; a Loop of one is only a shifted
// List.
void ListBuilder::add_layout(Count offset, const Layout &layout) {
    if (layout.is_block())
        return add_block(offset + layout.offset, layout.size_bytes);
    const Layout *list = &layout;
    if (layout.kind == Layout::Kind::Loop && layout.count == 1) {
        offset += layout.offset;
        list = layout.child;
    }
    bool is_short = list->kind == Layout::Kind::List && list->count <= short_list_entries;
    if (is_short)
        return flatten(offset, *list);
    pieces_.push_back({offset, list->size_bytes, retain_layout(list)});
}

// Adds the entries of a List as pieces.
void ListBuilder::flatten(Count offset, const Layout &list) {
    offset += list.offset;
    for (Count i = 0; i < list.count; ++i) {
        const LayoutEntry &entry = list.entries[i];
        if (!entry.layout)
            add_block(offset + entry.offset, list.entries[i + 1].start - entry.start);
        else
            pieces_.push_back(
                {offset + entry.offset, entry.layout->size_bytes, retain_layout(entry.layout)});
    }
}

// Replaces each List among the pieces by its entries, until none is left (invariant 3). Costs
// memory, but only for Lists that nest too deep.
void ListBuilder::flatten_all() {
    bool again = true;
    while (again) {
        again = false;
        std::vector<Piece> pieces;
        pieces.swap(pieces_);
        for (Piece &piece : pieces) {
            if (!piece.layout) {
                add_block(piece.offset, piece.size_bytes);
            } else if (piece.layout->kind == Layout::Kind::List) {
                flatten(piece.offset, *piece.layout);
                again = true;
                release_layout(piece.layout);
            } else {
                pieces_.push_back(piece);
            }
        }
    }
}

// Returns the Run or Loop that is equivalent to the pieces, or nullptr: all pieces must be equal,
// at equal distances.
const Layout *ListBuilder::find_rule() const {
    const Piece &first = pieces_[0];
    auto n = static_cast<Count>(pieces_.size());
    Count stride = n > 1 ? pieces_[1].offset - first.offset : 0;
    for (Count i = 1; i < n; ++i) {
        const Piece &piece = pieces_[i];
        if (piece.size_bytes != first.size_bytes || piece.layout != first.layout ||
            piece.offset - pieces_[i - 1].offset != stride)
            return nullptr;
    }
    const Layout *one = first.layout ? make_shifted(first.layout, first.offset)
                                     : make_block(first.offset, first.size_bytes);
    const Layout *all = make_repeated(one, n, stride);
    release_layout(one);
    return all;
}

// Entries store where each one starts in the packed form, so that a position is found by binary
// search.
const Layout *ListBuilder::make_list() const {
    auto *entries = new LayoutEntry[pieces_.size() + 1];
    Count start = 0;
    int depth = 0;
    bool only_blocks = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
        const Piece &piece = pieces_[i];
        entries[i] = {piece.offset, start, retain_layout(piece.layout)};
        start += piece.size_bytes;
        only_blocks = only_blocks && !piece.layout;
        if (piece.layout && piece.layout->depth > depth)
            depth = piece.layout->depth;
    }
    entries[pieces_.size()] = {0, start, nullptr};
    CHECK(depth < layout_depth_max, "depth %d", depth);
    auto *list = new Layout;
    list->kind = Layout::Kind::List;
    list->depth = static_cast<uint8_t>(depth + 1);
    list->only_blocks = only_blocks;
    list->size_bytes = start;
    list->count = static_cast<Count>(pieces_.size());
    list->entries = entries;
    return list;
}

// Lists that nest too deep are flattened; then a rule is looked for, which an irregular datatype
// seldom has.
const Layout *ListBuilder::finish() {
    if (pieces_.empty())
        return nullptr;
    for (const Piece &piece : pieces_) {
        if (piece.layout && piece.layout->depth >= list_depth_max) {
            flatten_all();
            break;
        }
    }
    if (const Layout *rule = find_rule())
        return rule;
    return make_list();
}

} // namespace thrum
