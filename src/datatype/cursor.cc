// The walk of a Cursor through a layout (cursor.h). frames_ has the Loops and Lists from the root
// to the current Run, each with the index of its current child. Seeking (descend()) computes the
// index in a Loop by division, in a List by binary search.
#include "datatype/cursor.h"

#include <algorithm>

namespace thrum {

// Several elements are one more node above the layout: a Run if they form one, else a Loop. A
// single element needs none.
Cursor::Cursor(const void *buffer, Count count, const Datatype &datatype, size_t offset) {
    const Layout *layout = datatype.layout;
    if (!layout || count == 0 || offset >= data_bytes(count, datatype))
        return;
    char *base = address_of(buffer);
    auto start = static_cast<Count>(offset);
    if (count == 1) {
        descend(layout, base, start);
        return;
    }
    if (!repeat_as_run(*layout, count, datatype.extent, root_)) {
        root_.kind = Layout::Kind::Loop;
        root_.count = count;
        root_.stride = datatype.extent;
        root_.child = layout;
    }
    descend(&root_, base, start);
}

// Enters entry `index` of a List, whose address is `base`. Returns false if it is a dense block,
// where the walk ends; else `node` is the entry's layout.
bool Cursor::enter_entry(const Layout &list, char *base, Count index, const Layout *&node) {
    const LayoutEntry &entry = list.entries[index];
    node = entry.layout;
    if (node)
        return true;
    set_run(base, static_cast<size_t>(list.entries[index + 1].start - entry.start), 0, 1);
    return false;
}

// Descends from `node` to the Run that holds byte `offset` of its packed form. `base` is the
// position of the parent.
void Cursor::descend(const Layout *node, char *base, Count offset) {
    for (;;) {
        base = moved(base, node->offset);
        if (node->kind == Layout::Kind::Run) {
            Count index = offset ? offset / node->block_bytes : 0;
            set_run(moved(base, index * node->stride), static_cast<size_t>(node->block_bytes),
                    node->stride, node->count - index);
            offset -= index * node->block_bytes;
            break;
        }
        Count index = 0;
        if (node->kind == Layout::Kind::Loop) {
            index = offset ? offset / node->child->size_bytes : 0;
            frames_[depth_++] = {node, base, index};
            base = moved(base, index * node->stride);
            offset -= index * node->child->size_bytes;
            node = node->child;
            continue;
        }
        // The last entry that starts at or before the offset holds it.
        if (offset) {
            const LayoutEntry *end = node->entries + node->count;
            const LayoutEntry *after = std::upper_bound(
                node->entries, end, offset,
                [](Count value, const LayoutEntry &entry) { return value < entry.start; });
            index = after - node->entries - 1;
        }
        frames_[depth_++] = {node, base, index};
        offset -= node->entries[index].start;
        base = moved(base, node->entries[index].offset);
        if (!enter_entry(*node, base, index, node))
            break;
    }
    address_ = moved(address_, offset);
    left_ -= static_cast<size_t>(offset);
}

// If the List is the child of a Loop and at its beginning, whole repetitions can be taken, too.
Cursor::BlockList Cursor::block_list() const {
    const Frame &frame = frames_[depth_ - 1];
    BlockList list{frame.node->entries + frame.index, frame.node->count - frame.index, frame.base,
                   1, 0};
    if (frame.index == 0 && depth_ > 1) {
        const Frame &outer = frames_[depth_ - 2];
        if (outer.node->kind == Layout::Kind::Loop) {
            list.repeats = outer.node->count - outer.index;
            list.stride = outer.node->stride;
        }
    }
    return list;
}

// Goes up to the first node with a further child, then down to the first Run below it. At the end
// of the data the cursor has no address and no blocks.
void Cursor::next_run() {
    while (depth_ > 0) {
        Frame &frame = frames_[depth_ - 1];
        const Layout &node = *frame.node;
        if (++frame.index == node.count) {
            --depth_;
            continue;
        }
        if (node.kind == Layout::Kind::Loop)
            return descend(node.child, moved(frame.base, frame.index * node.stride), 0);
        const Layout *child;
        char *base = moved(frame.base, node.entries[frame.index].offset);
        if (enter_entry(node, base, frame.index, child))
            descend(child, base, 0);
        return;
    }
    address_ = nullptr;
    left_ = block_bytes_ = 0;
}

} // namespace thrum
