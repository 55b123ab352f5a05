// copy_typed, pack_bytes and unpack_bytes: the copies of the message path. All three are one loop
// over two cursors (transfer()); a packed buffer is a cursor over one dense block.
//
// transfer() tries the ways to copy many blocks at once, from the most to the least specific:
//
//   both sides are arrays of structs with members of equal sizes    copy_matching_lists
//   one side is a list of blocks, the other dense                   copy_list
//   both sides have blocks of one size                              copy_equal_blocks
//   blocks of one side fit into a block of the other                copy_whole_blocks
//
// If none applies, it copies the rest of the shorter block, and tries again.
#include "datatype/blocks.h"
#include "datatype/copy_range.h"
#include "datatype/cursor.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

// Dense bytes that stay in the first-level cache between two sweeps of a list.
constexpr size_t sweep_bytes = 8192;

Count min_count(Count a, Count b) {
    return a < b ? a : b;
}

// Returns how many of `blocks` blocks fit into `size_bytes`. Avoids the division for a single
// block.
Count fitting(Count blocks, size_t block_bytes, size_t size_bytes) {
    if (blocks == 1)
        return block_bytes <= size_bytes ? 1 : 0;
    return min_count(blocks, static_cast<Count>(size_bytes / block_bytes));
}

// Copies whole blocks if they have the same size on both sides. This and the following functions
// return false, with nothing changed, if they cannot copy anything; else they advance both cursors
// and reduce `size_bytes`.
bool copy_equal_blocks(Cursor &from, Cursor &to, size_t &size_bytes) {
    size_t block = from.block_bytes();
    if (block != to.block_bytes() || !from.at_block_start() || !to.at_block_start())
        return false;
    Count count = fitting(min_count(from.blocks(), to.blocks()), block, size_bytes);
    if (count == 0)
        return false;
    copy_blocks({to.address(), to.stride(), from.address(), from.stride()}, block, count);
    from.skip_blocks(count);
    to.skip_blocks(count);
    size_bytes -= static_cast<size_t>(count) * block;
    return true;
}

// Copies between a listed or strided side and a dense one; the direction tells which is the source.
enum class Direction { Gather, Scatter };

// Copies `count` blocks between a strided and a dense side.
template <Direction direction>
void copy_dense(char *strided, Count stride, char *dense, Count dense_stride, size_t block_bytes,
                Count count) {
    StridedBlocks blocks = direction == Direction::Gather
                               ? StridedBlocks{dense, dense_stride, strided, stride}
                               : StridedBlocks{strided, stride, dense, dense_stride};
    if (count == 1)
        copy_block(blocks.destination, blocks.source, block_bytes);
    else
        copy_blocks(blocks, block_bytes, count);
}

// Copies whole blocks of one side from or into the rest of a larger block of the other.
template <Direction direction>
bool copy_whole_blocks(Cursor &strided, Cursor &dense, size_t &size_bytes) {
    if (!strided.at_block_start())
        return false;
    size_t block = strided.block_bytes();
    Count count = fitting(strided.blocks(), block, std::min(size_bytes, dense.left()));
    if (count == 0)
        return false;
    copy_dense<direction>(strided.address(), strided.stride(), dense.address(),
                          static_cast<Count>(block), block, count);
    strided.skip_blocks(count);
    dense.skip_bytes(static_cast<size_t>(count) * block);
    size_bytes -= static_cast<size_t>(count) * block;
    return true;
}

// Copies as much of a List of blocks as fits into `room` dense bytes on the other side; returns the
// bytes. `copy` gets the List's side first, with its stride, then the dense side, a block size and
// a count. An array of structs is swept once per member, so each sweep is a plain strided copy;
// each sweep covers few enough structs that the dense side stays in the cache.
template <class Copy>
size_t sweep_list(Cursor &cursor, char *dense, size_t room, Copy copy) {
    constexpr Count repeats_min = 4;
    Cursor::BlockList list = cursor.block_list();
    Count start = list.entries[0].start;
    auto size_of = [&](Count i) {
        return static_cast<size_t>(list.entries[i + 1].start - list.entries[i].start);
    };
    if (list.repeats >= repeats_min) {
        auto all = static_cast<size_t>(list.entries[list.count].start);
        Count fit = fitting(list.repeats, all, std::min(room, std::max(sweep_bytes, 4 * all)));
        if (fit >= repeats_min) {
            for (Count i = 0; i < list.count; ++i)
                copy(moved(list.base, list.entries[i].offset), list.stride,
                     dense + list.entries[i].start, static_cast<Count>(all), size_of(i), fit);
            cursor.skip_repeats(fit);
            return static_cast<size_t>(fit) * all;
        }
    }
    // Few repetitions, or inside of one: entry by entry.
    size_t done = 0;
    Count taken = 0;
    for (; taken < list.count && done + size_of(taken) <= room; ++taken) {
        copy(moved(list.base, list.entries[taken].offset), 0,
             dense + list.entries[taken].start - start, 0, size_of(taken), 1);
        done += size_of(taken);
    }
    if (taken > 0)
        cursor.skip_entries(taken);
    return done;
}

// Copies as many entries of a List as fit into the current block of the dense side.
template <Direction direction>
bool copy_list(Cursor &list, Cursor &dense, size_t &size_bytes) {
    if (!list.at_block_list())
        return false;
    size_t done = sweep_list(list, dense.address(), std::min(dense.left(), size_bytes),
                             copy_dense<direction>);
    if (done > 0)
        dense.skip_bytes(done);
    size_bytes -= done;
    return done > 0;
}

// Copies between arrays of structs whose members have the same sizes, member by member.
bool copy_matching_lists(Cursor &from, Cursor &to, size_t &size_bytes) {
    constexpr Count repeats_min = 4;
    if (!from.at_block_list() || !to.at_block_list())
        return false;
    Cursor::BlockList source = from.block_list();
    Cursor::BlockList destination = to.block_list();
    Count repeats = min_count(source.repeats, destination.repeats);
    if (repeats < repeats_min || source.count != destination.count)
        return false;
    for (Count i = 1; i <= source.count; ++i)
        if (source.entries[i].start != destination.entries[i].start)
            return false;
    auto all = static_cast<size_t>(source.entries[source.count].start);
    Count fit = fitting(repeats, all, std::min(size_bytes, std::max(sweep_bytes, 4 * all)));
    if (fit == 0)
        return false;
    for (Count i = 0; i < source.count; ++i)
        copy_blocks({moved(destination.base, destination.entries[i].offset), destination.stride,
                     moved(source.base, source.entries[i].offset), source.stride},
                    static_cast<size_t>(source.entries[i + 1].start - source.entries[i].start),
                    fit);
    from.skip_repeats(fit);
    to.skip_repeats(fit);
    size_bytes -= static_cast<size_t>(fit) * all;
    return true;
}

// Copies size_bytes, which both sides must hold.
void transfer(Cursor &from, Cursor &to, size_t size_bytes) {
    while (size_bytes > 0) {
        if (copy_matching_lists(from, to, size_bytes) ||
            copy_list<Direction::Gather>(from, to, size_bytes) ||
            copy_list<Direction::Scatter>(to, from, size_bytes) ||
            copy_equal_blocks(from, to, size_bytes) ||
            copy_whole_blocks<Direction::Gather>(from, to, size_bytes) ||
            copy_whole_blocks<Direction::Scatter>(to, from, size_bytes))
            continue;
        size_t piece = std::min({from.left(), to.left(), size_bytes});
        std::memcpy(to.address(), from.address(), piece);
        from.skip_bytes(piece);
        to.skip_bytes(piece);
        size_bytes -= piece;
    }
}

} // namespace

// Contiguous sides need no cursor: the copy is then a plain memcpy, a pack or an unpack. Truncation
// is the caller's concern: the shorter side limits the copy.
size_t copy_typed(const void *source, Count source_count, const Datatype &source_type,
                  void *destination, Count destination_count, const Datatype &destination_type) {
    size_t size_bytes = std::min(data_bytes(source_count, source_type),
                                 data_bytes(destination_count, destination_type));
    if (size_bytes == 0)
        return 0;
    if (source_type.contiguous && destination_type.contiguous) {
        std::memcpy(destination, source, size_bytes);
    } else if (destination_type.contiguous) {
        pack_bytes(source, source_count, source_type, 0, size_bytes, destination);
    } else if (source_type.contiguous) {
        unpack_bytes(source, 0, size_bytes, destination, destination_count, destination_type);
    } else {
        Cursor from(source, source_count, source_type, 0);
        Cursor to(destination, destination_count, destination_type, 0);
        transfer(from, to, size_bytes);
    }
    return size_bytes;
}

// A contiguous datatype is its own packed form.
void pack_bytes(const void *buffer, Count count, const Datatype &datatype, size_t offset,
                size_t size_bytes, void *packed) {
    if (size_bytes == 0)
        return;
    if (datatype.contiguous) {
        std::memcpy(packed, static_cast<const char *>(buffer) + offset, size_bytes);
        return;
    }
    Cursor from(buffer, count, datatype, offset);
    Cursor to(packed, size_bytes);
    transfer(from, to, size_bytes);
}

void unpack_bytes(const void *packed, size_t offset, size_t size_bytes, void *buffer, Count count,
                  const Datatype &datatype) {
    if (size_bytes == 0)
        return;
    if (datatype.contiguous) {
        std::memcpy(static_cast<char *>(buffer) + offset, packed, size_bytes);
        return;
    }
    Cursor from(packed, size_bytes);
    Cursor to(buffer, count, datatype, offset);
    transfer(from, to, size_bytes);
}

// Packs or unpacks if one side is contiguous. Otherwise walks through both layouts together,
// without a packed copy between them.
void copy_typed_range(const TypedMemory &from, const TypedMemory &to, size_t offset,
                      size_t size_bytes) {
    auto *destination = const_cast<char *>(static_cast<const char *>(to.buffer));
    if (from.datatype.contiguous) {
        unpack_bytes(static_cast<const char *>(from.buffer) + offset, offset, size_bytes,
                     destination, to.count, to.datatype);
    } else if (to.datatype.contiguous) {
        pack_bytes(from.buffer, from.count, from.datatype, offset, size_bytes,
                   destination + offset);
    } else if (size_bytes > 0) {
        Cursor source(from.buffer, from.count, from.datatype, offset);
        Cursor sink(destination, to.count, to.datatype, offset);
        transfer(source, sink, size_bytes);
    }
}

} // namespace thrum
