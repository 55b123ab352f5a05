// Serialises layouts. A description is a DescribedType, then the nodes of the layout, children
// first: a DescribedNode each, followed by the entries of a List. Nodes refer to each other by
// number; no_node means none.
#include "datatype/layout_bytes.h"

#include "base/check.h"
#include "datatype/layout.h"

#include <cstring>
#include <unordered_map>
#include <vector>

namespace thrum {
namespace {

constexpr uint32_t no_node = UINT32_MAX;

// The head of a description. These structs travel as bytes: all processes run the same library.
struct DescribedType {
    Count size_bytes, extent;
    uint32_t nodes;
    uint32_t contiguous;
};

// A node, with the fields of Layout. Its child is a number.
struct DescribedNode {
    Layout::Kind kind;
    uint8_t depth;
    bool only_blocks;
    uint32_t child; // Loop
    Count size_bytes, offset, count, stride, block_bytes;
};

// An entry of a List.
struct DescribedEntry {
    Count offset, start;
    uint32_t node;
    uint32_t unused;
};

template <class T>
void append(const T &value, std::string &bytes) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

// Writes each node once, children first, and remembers the numbers of nodes that are shared.
class Writer {
public:
    explicit Writer(std::string &bytes) : bytes_(bytes) {}

    // Writes a layout and returns its number. Recursion as deep as the layout, which is bounded.
    uint32_t write(const Layout *layout) {
        if (!layout)
            return no_node;
        if (auto known = numbers_.find(layout); known != numbers_.end())
            return known->second;
        DescribedNode node{layout->kind,  layout->depth,      layout->only_blocks,
                           no_node,       layout->size_bytes, layout->offset,
                           layout->count, layout->stride,     layout->block_bytes};
        std::vector<DescribedEntry> entries;
        if (layout->kind == Layout::Kind::Loop)
            node.child = write(layout->child);
        if (layout->kind == Layout::Kind::List)
            for (Count i = 0; i < layout->count; ++i) {
                const LayoutEntry &entry = layout->entries[i];
                entries.push_back({entry.offset, entry.start, write(entry.layout), 0});
            }
        append(node, bytes_);
        for (const DescribedEntry &entry : entries)
            append(entry, bytes_);
        const auto number = static_cast<uint32_t>(numbers_.size());
        numbers_[layout] = number;
        return number;
    }

    uint32_t count() const { return static_cast<uint32_t>(numbers_.size()); }

private:
    std::string &bytes_;
    std::unordered_map<const Layout *, uint32_t> numbers_;
};

// Makes the nodes again, in the order in which they were written: each refers only to earlier ones.
class Reader {
public:
    Reader(const char *bytes, size_t size_bytes) : next_(bytes), end_(bytes + size_bytes) {}

    // Reads a value that need not be aligned. Ends the process if the bytes are used up.
    template <class T>
    T take() {
        CHECK(static_cast<size_t>(end_ - next_) >= sizeof(T),
              "a datatype's description is truncated");
        T value;
        std::memcpy(&value, next_, sizeof value);
        next_ += sizeof value;
        return value;
    }

    // Makes the next node. Its first reference is the reader's, until release_nodes().
    Layout *node() {
        const auto described = take<DescribedNode>();
        auto *layout = new Layout;
        layout->kind = described.kind;
        layout->depth = described.depth;
        layout->only_blocks = described.only_blocks;
        layout->size_bytes = described.size_bytes;
        layout->offset = described.offset;
        layout->count = described.count;
        layout->stride = described.stride;
        layout->block_bytes = described.block_bytes;
        if (described.kind == Layout::Kind::Loop)
            layout->child = reference(described.child);
        if (described.kind == Layout::Kind::List)
            layout->entries = entries(described);
        nodes_.push_back(layout);
        return layout;
    }

    // Releases the references with which the nodes were made.
    void release_nodes() {
        for (const Layout *node : nodes_)
            release_layout(node);
    }

private:
    // Returns a new reference to a node that has been read.
    const Layout *reference(uint32_t number) const {
        return number == no_node ? nullptr : retain_layout(nodes_[number]);
    }

    // Makes the entries of a List, with the sentinel that is not written.
    const LayoutEntry *entries(const DescribedNode &list) {
        auto *all = new LayoutEntry[static_cast<size_t>(list.count) + 1];
        for (Count i = 0; i < list.count; ++i) {
            const auto entry = take<DescribedEntry>();
            all[i] = {entry.offset, entry.start, reference(entry.node)};
        }
        all[list.count] = {0, list.size_bytes, nullptr}; // the sentinel
        return all;
    }

    const char *next_;
    const char *end_;
    std::vector<const Layout *> nodes_;
};

} // namespace

// The number of nodes is only known at the end, so the head is written twice.
void write_layout(const Datatype &datatype, std::string &bytes) {
    const size_t begin = bytes.size();
    DescribedType type{datatype.size_bytes, datatype.extent, 0, datatype.contiguous};
    append(type, bytes);
    Writer writer(bytes);
    writer.write(datatype.layout);
    type.nodes = writer.count();
    std::memcpy(bytes.data() + begin, &type, sizeof type);
}

// Nodes come children first, so each one refers only to nodes that exist already. The last node is
// the root.
Datatype *read_layout(const char *bytes, size_t size_bytes) {
    Reader reader(bytes, size_bytes);
    const auto described = reader.take<DescribedType>();
    Datatype *type = new_datatype();
    type->size_bytes = described.size_bytes;
    type->extent = described.extent;
    type->true_extent = described.extent;
    type->contiguous = described.contiguous;
    type->committed = true;
    for (uint32_t i = 0; i < described.nodes; ++i)
        type->layout = reader.node(); // the last node is the root
    retain_layout(type->layout);
    reader.release_nodes();
    return type;
}

} // namespace thrum
