// Block: the data of one rank in a collective operation. Blocks: the data for (or from) each rank,
// in any of the forms in which MPI lets a program describe them.
#pragma once
#include "base/error.h"
#include "datatype/count_array.h"
#include "datatype/datatype.h"

#include <memory>
#include <vector>

namespace thrum {

// A sequence of elements: what one rank sends to, or receives from, another.
struct Block {
    char *address = nullptr; // only read if the block is sent
    Count count = 0;
    const Datatype *type = nullptr;

    size_t size_bytes() const { return data_bytes(count, *type); }
};

// The arguments as the caller passed them, with a common way to get block i. No array is copied, so
// the program's arrays must stay.
class Blocks {
public:
    // No blocks: MPI_IN_PLACE, or an argument that is not significant at this rank.
    Blocks() : Blocks(Form::Equal, nullptr, 0, {}, {}, nullptr, nullptr) {}

    explicit operator bool() const { return type_ || types_; }

    // Block i is elements [i * count, (i + 1) * count).
    static Blocks equal(const void *buffer, Count count, const Datatype &type) {
        return Blocks(Form::Equal, buffer, count, {}, {}, &type, nullptr);
    }

    // Every block is the same `count` elements.
    static Blocks same(const void *buffer, Count count, const Datatype &type) {
        return Blocks(Form::Same, buffer, count, {}, {}, &type, nullptr);
    }

    // Block i is counts[i] elements at displacement displacements[i] extents.
    static Blocks varying(const void *buffer, CountArray counts, CountArray displacements,
                          const Datatype &type) {
        return Blocks(Form::Varying, buffer, 0, counts, displacements, &type, nullptr);
    }

    // Block i is counts[i] elements of types[i] at displacements[i] bytes.
    static Blocks general(const void *buffer, CountArray counts, CountArray displacements,
                          const MPI_Datatype *types) {
        return Blocks(Form::General, buffer, 0, counts, displacements, nullptr, types);
    }

    // Block i is bytes [offsets[i], offsets[i + 1]) of `packed`.
    static Blocks of_packed(const void *packed, const MPI_Count *offsets) {
        return Blocks(Form::Packed, packed, 0, {}, offsets, find_datatype(MPI_PACKED), nullptr);
    }

    // Returns whether the blocks are addressed from MPI_BOTTOM, a null pointer.
    bool from_bottom() const { return !buffer_; }

    Block operator[](int i) const {
        auto index = static_cast<size_t>(i);
        switch (form_) {
        case Form::Equal:
            return {buffer_ + i * count_ * type_->extent, count_, type_};
        case Form::Same:
            return {buffer_, count_, type_};
        case Form::Varying:
            return {buffer_ + displacements_[index] * type_->extent, counts_[index], type_};
        case Form::General: // a block without data may have MPI_DATATYPE_NULL
            return {buffer_ + displacements_[index], counts_[index],
                    find_datatype(counts_[index] > 0 ? types_[i] : MPI_BYTE)};
        case Form::Packed:
            return {buffer_ + displacements_[index],
                    displacements_[index + 1] - displacements_[index], type_};
        }
        return {};
    }

    // The datatypes: either one for all blocks, or one for each (the other pointer is null then).
    const Datatype *type() const { return type_; }

    const MPI_Datatype *types() const { return types_; }

    // Returns the same blocks with `types`, a copy of types().
    Blocks with_types(const MPI_Datatype *types) const {
        Blocks copy = *this;
        copy.types_ = types;
        return copy;
    }

    // Returns the blocks [0, count). Arrays of counts and displacements are copied to `copy`.
    Blocks with_counts(std::vector<MPI_Count> &copy, int count) const {
        Blocks blocks = *this;
        if (!counts_)
            return blocks;
        auto n = static_cast<size_t>(count);
        copy.resize(2 * n);
        for (size_t i = 0; i < n; ++i) {
            copy[i] = counts_[i];
            copy[n + i] = displacements_[i];
        }
        blocks.counts_ = CountArray(copy.data());
        blocks.displacements_ = CountArray(copy.data() + n);
        return blocks;
    }

    bool has_counts() const { return static_cast<bool>(counts_); }

    bool has_arrays() const { return has_counts() || types_; }

    // Returns whether blocks 0..n-1 are one run of elements, in order.
    bool is_one_run() const { return form_ == Form::Equal; }

private:
    enum class Form : uint8_t { Equal, Same, Varying, General, Packed };

    Blocks(Form form, const void *buffer, Count count, CountArray counts, CountArray displacements,
           const Datatype *type, const MPI_Datatype *types)
        : form_(form), buffer_(const_cast<char *>(static_cast<const char *>(buffer))),
          count_(count), counts_(counts), displacements_(displacements), type_(type),
          types_(types) {}

    Form form_;
    char *buffer_;
    Count count_;
    CountArray counts_;
    CountArray displacements_; // Packed: the offsets
    const Datatype *type_;
    const MPI_Datatype *types_;
};

// Returns the bytes of blocks [0, count).
inline size_t size_of_all(const Blocks &blocks, int count) {
    size_t total_bytes = 0;
    for (int i = 0; i < count; ++i)
        total_bytes += blocks[i].size_bytes();
    return total_bytes;
}

// Copies as much of `from` as fits into `to`; returns false if that is not all.
inline bool copy_block(const Block &from, const Block &to) {
    size_t sent_bytes = from.size_bytes(), room_bytes = to.size_bytes();
    size_t size_bytes = sent_bytes < room_bytes ? sent_bytes : room_bytes;
    if (size_bytes == 0)
        return sent_bytes == 0;
    if (from.type->contiguous && to.type->contiguous)
        __builtin_memcpy(to.address, from.address, size_bytes);
    else
        copy_typed(from.address, from.count, *from.type, to.address, to.count, *to.type);
    return sent_bytes <= room_bytes;
}

// Packs `block` at `to`, which must have room for it; returns its size in bytes.
inline size_t pack_block(const Block &block, char *to) {
    size_t size_bytes = block.size_bytes();
    if (size_bytes > 0)
        pack_bytes(block.address, block.count, *block.type, 0, size_bytes, to);
    return size_bytes;
}

// Unpacks as much of the `size_bytes` at `from` as fits.
inline void unpack_block(const char *from, size_t size_bytes, const Block &block) {
    size_t room_bytes = block.size_bytes();
    if (room_bytes < size_bytes)
        size_bytes = room_bytes;
    if (size_bytes > 0)
        unpack_bytes(from, 0, size_bytes, block.address, block.count, *block.type);
}

// A packed copy of blocks [0, count).
class PackedCopy {
public:
    PackedCopy(const Blocks &blocks, int count);

    Blocks blocks() const { return Blocks::of_packed(bytes_.get(), offsets_.data()); }

private:
    std::unique_ptr<char[]> bytes_;
    std::vector<MPI_Count> offsets_;
};

} // namespace thrum
