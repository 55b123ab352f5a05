// Datatypes of array sections, and copies of what has none.
//
// A section is first brought into its simplest form (Shape): neighbouring dimensions without a gap
// between them are one, and leading elements without gaps are one larger element.
#include "fortran/section.h"

#include "base/spinlock.h"
#include "comm/process.h"
#include "datatype/basic_blocks.h"
#include "datatype/constructors.h"
#include "datatype/describe.h"
#include "pt2pt/request.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace thrum::fortran {
namespace {

// A dimension: `extent` elements, `stride` bytes apart.
struct Dimension {
    Count extent, stride;

    bool operator==(const Dimension &) const = default;
};

constexpr int dimensions_max = 15; // Fortran 2018 section 8.5.8.1

// The simplest form of a section: blocks of `block_bytes`, in dimensions that each have gaps.
struct Shape {
    Count block_bytes = 0;
    int rank = 0;
    Dimension dimensions[dimensions_max];

    explicit Shape(const FortranBuffer &buffer)
        : block_bytes(static_cast<Count>(buffer.element_bytes)) {
        for (int i = 0; i < buffer.rank && i < dimensions_max; ++i) {
            const auto [lower, extent, stride] = buffer.dimensions[i];
            if (extent == 1)
                continue;
            if (rank == 0 && stride == block_bytes)
                block_bytes *= extent;
            else if (rank > 0 && stride == last().extent * last().stride)
                last().extent *= extent;
            else
                dimensions[rank++] = {extent, stride};
        }
    }

    bool operator==(const Shape &other) const {
        return block_bytes == other.block_bytes && rank == other.rank &&
               std::equal(dimensions, dimensions + rank, other.dimensions);
    }

    Dimension &last() { return dimensions[rank - 1]; }

    Count blocks() const {
        Count count = 1;
        for (int i = 0; i < rank; ++i)
            count *= dimensions[i].extent;
        return count;
    }

    Count size_bytes() const { return blocks() * block_bytes; }

    // Returns the place of a byte of the elements without gaps, relative to the section's address.
    Count place_of(Count byte) const {
        Count block = byte / block_bytes, place = byte % block_bytes;
        for (int i = 0; i < rank; ++i) {
            place += block % dimensions[i].extent * dimensions[i].stride;
            block /= dimensions[i].extent;
        }
        return place;
    }
};

// A reference to a datatype that is given up at the end, unless it is taken.
class Reference {
public:
    explicit Reference(Datatype *type = nullptr) : type_(type) {}

    ~Reference() { reset(nullptr); }

    Reference(const Reference &) = delete;
    Reference &operator=(const Reference &) = delete;

    void reset(Datatype *type) {
        if (type_)
            release(*type_);
        type_ = type;
    }

    Datatype &operator*() const { return *type_; }

    Datatype *take() { return std::exchange(type_, nullptr); }

private:
    Datatype *type_;
};

// Makes the datatype of `blocks` blocks of the section, in order, from the datatype of one. Whole
// rows of a dimension are vectors; the rest of an incomplete one follows them.
Error make_blocks(const Shape &shape, int rank, Count blocks, Datatype &block, Datatype *&result) {
    if (rank == 0) {
        retain(block);
        result = &block;
        return success;
    }
    const Dimension dimension = shape.dimensions[rank - 1];
    Count below = 1; // blocks in each element of the dimension
    for (int i = 0; i < rank - 1; ++i)
        below *= shape.dimensions[i].extent;
    const Count whole = blocks / below, rest = blocks % below;
    Reference row, rows, part;
    Datatype *made = nullptr;
    if (whole > 0) {
        if (Error error = make_blocks(shape, rank - 1, below, block, made))
            return error;
        row.reset(made);
        if (Error error = new_hvector(whole, 1, dimension.stride, *row, made))
            return error;
        rows.reset(made);
    }
    if (rest == 0) {
        result = rows.take();
        return success;
    }
    if (Error error = make_blocks(shape, rank - 1, rest, block, made))
        return error;
    part.reset(made);
    if (whole == 0) {
        result = part.take();
        return success;
    }
    const Count lengths[] = {1, 1}, displacements[] = {0, whole * dimension.stride};
    Datatype *const types[] = {&*rows, &*part};
    return new_struct(2, lengths, displacements, types, result);
}

// Makes the datatype of the first `bytes` bytes of the section, which are elements of `unit`. The
// size of a block is a multiple of the unit's.
Error make_units(const Shape &shape, Count bytes, Datatype &unit, Datatype *&result) {
    const Count blocks = bytes / shape.block_bytes, rest = bytes % shape.block_bytes;
    Reference block, whole;
    Datatype *made = nullptr;
    if (blocks > 0) {
        if (Error error = new_contiguous(shape.block_bytes / unit.size_bytes, unit, made))
            return error;
        block.reset(made);
        if (Error error = make_blocks(shape, shape.rank, blocks, *block, made))
            return error;
        if (rest == 0) {
            result = made;
            return success;
        }
        whole.reset(made);
    }
    const Count lengths[] = {blocks > 0 ? 1 : 0, rest / unit.size_bytes};
    const Count displacements[] = {0, shape.place_of(blocks * shape.block_bytes)};
    Datatype *const types[] = {blocks > 0 ? &*whole : &unit, &unit};
    return new_struct(2, lengths, displacements, types, result);
}

// Makes the datatype of `count` elements of any datatype: each basic element goes to its place.
Error make_each_basic(const Shape &shape, Count count, const Datatype &type, Datatype *&result) {
    std::vector<Count> lengths, displacements;
    std::vector<Datatype *> types;
    const Datatype *split = nullptr;
    bool is_outside = false;
    auto add = [&](const Datatype &basic, Count from) {
        const Count first = from % shape.block_bytes;
        is_outside = is_outside || from < 0 || from + basic.size_bytes > shape.size_bytes();
        if (is_outside || first + basic.size_bytes > shape.block_bytes) {
            split = &basic;
            return;
        }
        const Count place = shape.place_of(from);
        if (!types.empty() && types.back() == &basic &&
            displacements.back() + lengths.back() * basic.extent == place) {
            ++lengths.back();
            return;
        }
        lengths.push_back(1);
        displacements.push_back(place);
        types.push_back(const_cast<Datatype *>(&basic));
    };
    visit_basic_blocks(type, count, nullptr,
                       [&](const Datatype &basic, const char *address, Count copies, Count extent) {
                           for (Count i = 0; i < copies && !split; ++i)
                               add(basic, reinterpret_cast<intptr_t>(address) + i * extent);
                       });
    char name[80];
    if (is_outside)
        return fail(MPI_ERR_BUFFER,
                    "%lld elements of %s reach outside the array section, which has %lld bytes",
                    static_cast<long long>(count), describe(type, name, sizeof name),
                    static_cast<long long>(shape.size_bytes()));
    if (split)
        return fail(MPI_ERR_BUFFER,
                    "an element of %s lies in two elements of the array section, whose elements "
                    "have %lld bytes",
                    describe(*split, name, sizeof name), static_cast<long long>(shape.block_bytes));
    return new_struct(static_cast<Count>(types.size()), lengths.data(), displacements.data(),
                      types.data(), result);
}

// Makes the datatype of `count` elements of `type` in the section; it stands for all of them.
Error make_section(const Shape &shape, Count count, Datatype &type, Datatype *&result) {
    const __int128 bytes = static_cast<__int128>(count) * type.size_bytes;
    Datatype *unit = &type;
    if (type.contiguous && shape.block_bytes % type.size_bytes != 0)
        unit = const_cast<Datatype *>(type.basic);
    if (!type.contiguous || !unit || shape.block_bytes % unit->size_bytes != 0)
        return make_each_basic(shape, count, type, result);
    if (bytes > shape.size_bytes())
        return fail(MPI_ERR_COUNT,
                    "count is %lld, of %lld bytes each, but the array section has %lld bytes",
                    static_cast<long long>(count), static_cast<long long>(type.size_bytes),
                    static_cast<long long>(shape.size_bytes()));
    return make_units(shape, static_cast<Count>(bytes), *unit, result);
}

// Makes the datatype of the part of `count` elements that each of several peers has; the parts are
// one extent apart. `result` stays nullptr if they have different shapes.
Error make_part(const Shape &shape, Count count, Datatype &type, Datatype *&result) {
    const __int128 bytes = static_cast<__int128>(count) * type.size_bytes;
    const Dimension &last = shape.dimensions[shape.rank - 1];
    const Count below = shape.size_bytes() / last.extent; // bytes in an element of the dimension
    if (bytes > shape.size_bytes() || bytes % below != 0)
        return success;
    const Count rows = static_cast<Count>(bytes) / below;
    Reference part;
    Datatype *made = nullptr;
    if (Error error = make_section(shape, count, type, made))
        return error;
    part.reset(made);
    return new_resized(*part, 0, rows * last.stride, result);
}

// What a datatype of a section is made for.
enum class Form : uint8_t {
    Strided, // one block: any number of them are in the section's blocks
    Section, // `count` elements
    Part     // the `count` elements of each of several peers
};

struct Wanted {
    Form form;
    Count count; // Strided: 0
    Datatype &type;
    const Shape &shape;

    // Makes it. `result` stays nullptr if there is none.
    Error make(Datatype *&result) const {
        switch (form) {
        case Form::Strided:
            return new_resized(type, 0, shape.dimensions[0].stride, result);
        case Form::Section:
            return make_section(shape, count, type, result);
        case Form::Part:
            return make_part(shape, count, type, result);
        }
        return success;
    }
};

// The datatypes of sections that a rank has used recently.
class SectionCache {
public:
    ~SectionCache() {
        for (Entry *entry : entries_)
            delete entry;
    }

    // Returns the datatype, with a reference for the caller; nullptr: there is none.
    Datatype *find(const Wanted &wanted) {
        std::lock_guard guard(lock_);
        Entry *entry = entries_[slot_of(wanted)];
        if (!entry || !entry->is_for(wanted))
            return nullptr;
        retain(entry->made);
        return &entry->made;
    }

    // Keeps a datatype instead of an older one. Takes references of its own.
    void keep(const Wanted &wanted, Datatype &made) {
        auto *entry = new Entry(wanted, made);
        {
            std::lock_guard guard(lock_);
            std::swap(entries_[slot_of(wanted)], entry);
        }
        delete entry;
    }

private:
    // The reference to the program's datatype keeps its address from being used again.
    struct Entry {
        Form form;
        Count count;
        Datatype &type, &made;
        Shape shape;

        Entry(const Wanted &wanted, Datatype &datatype)
            : form(wanted.form), count(wanted.count), type(wanted.type), made(datatype),
              shape(wanted.shape) {
            retain(type);
            retain(made);
        }

        ~Entry() {
            release(made);
            release(type);
        }

        Entry(const Entry &) = delete;
        Entry &operator=(const Entry &) = delete;

        bool is_for(const Wanted &wanted) const {
            return form == wanted.form && &type == &wanted.type && count == wanted.count &&
                   shape == wanted.shape;
        }
    };

    static constexpr int slot_bits = 6;

    // Fibonacci hashing of what mostly differs.
    static size_t slot_of(const Wanted &wanted) {
        const Dimension &last = wanted.shape.dimensions[wanted.shape.rank - 1];
        uint64_t hash = reinterpret_cast<uintptr_t>(&wanted.type) / alignof(Datatype) +
                        static_cast<uint64_t>(wanted.form);
        for (Count value : {wanted.count, wanted.shape.block_bytes, last.extent, last.stride})
            hash = hash * 31 + static_cast<uint64_t>(value);
        return hash * 0x9e3779b97f4a7c15u >> (64 - slot_bits);
    }

    SpinLock lock_;
    Entry *entries_[1 << slot_bits] = {};
};

void destroy_cache(SectionCache *cache) {
    delete cache;
}

const Extension<Process, SectionCache, destroy_cache> section_caches;

// Returns the datatype, committed and with a reference for the caller, as Wanted::make() or one
// made before.
Error find_or_make(const Wanted &wanted, Datatype *&result) {
    SectionCache &cache = section_caches.of(current_process()).get_or_make();
    result = cache.find(wanted);
    if (result)
        return success;
    if (Error error = wanted.make(result))
        return error;
    if (result) {
        result->committed = true;
        cache.keep(wanted, *result);
    }
    return success;
}

// Returns whether each block of the section is one element of the datatype, at one distance from
// the next.
bool is_strided(const Shape &shape, const Datatype &type) {
    return shape.rank == 1 && type.contiguous && type.size_bytes == shape.block_bytes;
}

} // namespace

// A datatype or count that is not valid is left to the call's own checks.
void Elements::describe(const Section &section) {
    Datatype *type = find_datatype(datatype_);
    if (!type || !type->committed || count_ <= 0 || type->size_bytes == 0)
        return;
    const Shape shape(*section.descriptor);
    if (type->contiguous && static_cast<__int128>(count_) * type->size_bytes <= shape.block_bytes)
        return; // in the first block
    Datatype *made = nullptr;
    if (is_strided(shape, *type) && count_ <= shape.blocks()) {
        error_ = find_or_make({Form::Strided, 0, *type, shape}, made);
    } else {
        error_ = find_or_make({Form::Section, count_, *type, shape}, made);
        count_ = error_ ? count_ : 1;
    }
    if (error_)
        return;
    made_.set(*made);
    datatype_ = handle_of(*made);
}

namespace {

// Copies `count` elements of T, `stride` bytes apart: four at a time, so that the loop itself takes
// less.
template <class T>
void gather_elements(const char *from, Count stride, Count count, char *to) {
    for (; count >= 4; count -= 4) {
        std::memcpy(to, from, sizeof(T));
        std::memcpy(to + sizeof(T), from + stride, sizeof(T));
        std::memcpy(to + 2 * sizeof(T), from + 2 * stride, sizeof(T));
        std::memcpy(to + 3 * sizeof(T), from + 3 * stride, sizeof(T));
        from += 4 * stride;
        to += 4 * sizeof(T);
    }
    for (; count > 0; --count, from += stride, to += sizeof(T))
        std::memcpy(to, from, sizeof(T));
}

// Copies `count` blocks of `block_bytes` bytes, `stride` bytes apart.
void gather_row(const char *from, Count stride, Count count, Count block_bytes, char *to) {
    if (block_bytes == 8)
        gather_elements<uint64_t>(from, stride, count, to);
    else if (block_bytes == 4)
        gather_elements<uint32_t>(from, stride, count, to);
    else
        for (Count i = 0; i < count; ++i)
            std::memcpy(to + i * block_bytes, from + i * stride, static_cast<size_t>(block_bytes));
}

// Copies the first `blocks` blocks of a section of one dimension or more.
void gather_blocks(const Shape &shape, const char *from, Count blocks, char *to) {
    const auto [extent, stride] = shape.dimensions[0];
    for (Count first = 0; first < blocks; first += extent) {
        // The divisions of place_of() would take most of the time of a short row.
        const char *row = first == 0 ? from : from + shape.place_of(first * shape.block_bytes);
        const Count count = std::min(extent, blocks - first);
        gather_row(row, stride, count, shape.block_bytes, to + first * shape.block_bytes);
    }
}

} // namespace

void SentElements::gather(const Section &section) {
    const Datatype *type = find_datatype(datatype_);
    const Count fitting = sizeof gathered_;
    if (type && type->contiguous && count_ > 0 && count_ <= fitting &&
        count_ * type->size_bytes <= fitting) {
        const FortranBuffer &buffer = *section.descriptor;
        const FortranDimension &row = buffer.dimensions[0];
        if (buffer.rank == 1 && count_ <= row.extent &&
            type->size_bytes == static_cast<Count>(buffer.element_bytes)) { // needs no shape
            gather_row(static_cast<const char *>(address_), row.stride, count_, type->size_bytes,
                       gathered_);
            address_ = gathered_;
            return;
        }
        const Shape shape(buffer);
        const Count bytes = count_ * type->size_bytes;
        if (bytes <= shape.block_bytes)
            return;
        const Count blocks =
            type->size_bytes == shape.block_bytes ? count_ : bytes / shape.block_bytes;
        if (blocks * shape.block_bytes == bytes && blocks <= shape.blocks()) {
            gather_blocks(shape, static_cast<const char *>(address_), blocks, gathered_);
            address_ = gathered_;
            return;
        }
    }
    describe(section);
}

void Dense::refuse() {
    error_ = fail(MPI_ERR_BUFFER, "the buffer is an array section with gaps between its elements; "
                                  "memory that MPI keeps must be contiguous");
}

std::unique_ptr<PackedCopy> PackedCopy::make(const Section &section, Back back) {
    const Shape shape(*section.descriptor);
    Datatype *bytes = nullptr;
    if (find_or_make({Form::Section, shape.size_bytes(), *find_datatype(MPI_BYTE), shape}, bytes))
        return nullptr;
    void *memory = std::malloc(static_cast<size_t>(shape.size_bytes()));
    if (!memory) {
        release(*bytes);
        return nullptr;
    }
    std::unique_ptr<PackedCopy> copy(new PackedCopy(section.address, *bytes, back, memory));
    copy->copy_in();
    return copy;
}

PackedCopy::~PackedCopy() {
    std::free(memory_);
    release(bytes_);
}

// Also of a buffer that is only written: the operation need not write all of it.
void PackedCopy::copy_in() {
    pack_bytes(section_, 1, bytes_, 0, static_cast<size_t>(bytes_.size_bytes), memory_);
}

void PackedCopy::copy_back() {
    if (back_ == Back::Yes)
        unpack_bytes(memory_, 0, static_cast<size_t>(bytes_.size_bytes), section_, 1, bytes_);
}

void Packed::copy(const Section &section, PackedCopy::Back back) {
    copy_ = PackedCopy::make(section, back);
    if (copy_)
        address_ = copy_->memory();
    else
        error_ = fail(MPI_ERR_NO_MEM, "cannot allocate a copy of the array section");
}

// With counts and displacements for each peer, only elements that are all at one distance have a
// datatype.
void PartsOfPeers::describe(const Section &section, PackedCopy::Back back, bool has_count) {
    Datatype *type = find_datatype(datatype_);
    if (!type || !type->committed || type->size_bytes == 0 || (has_count && count_ <= 0))
        return;
    const Shape shape(*section.descriptor);
    Datatype *made = nullptr;
    if (is_strided(shape, *type)) {
        error_ = find_or_make({Form::Strided, 0, *type, shape}, made);
    } else if (has_count) {
        error_ = find_or_make({Form::Part, count_, *type, shape}, made);
        count_ = made ? 1 : count_;
    }
    if (error_)
        return;
    if (!made) {
        copy(section, back);
        return;
    }
    made_.set(*made);
    datatype_ = handle_of(*made);
}

// A partition that is copied could not be received before all have come.
void Partitions::describe(const Section &section) {
    Datatype *type = find_datatype(datatype_);
    if (!type || !type->committed || type->size_bytes == 0 || count_ <= 0)
        return;
    const Shape shape(*section.descriptor);
    Datatype *made = nullptr;
    if (is_strided(shape, *type)) {
        error_ = find_or_make({Form::Strided, 0, *type, shape}, made);
    } else {
        error_ = find_or_make({Form::Part, count_, *type, shape}, made);
        count_ = made ? 1 : count_;
    }
    if (error_)
        return;
    if (!made) {
        error_ = fail(MPI_ERR_BUFFER,
                      "the partitions of the array section have different shapes: count is %lld, "
                      "which is not a multiple of its rows",
                      static_cast<long long>(count_));
        return;
    }
    made_.set(*made);
    datatype_ = handle_of(*made);
}

namespace {

// The copies of an operation's buffers, for as long as its request lives.
class CopiesOfRequest : public BuffersOfOperation {
public:
    void add(std::unique_ptr<PackedCopy> copy) {
        if (copy)
            copies_[count_++] = std::move(copy);
    }

    bool is_empty() const { return count_ == 0; }

    void begin() override {
        has_ended_ = false;
        for (int i = 0; i < count_; ++i)
            copies_[i]->copy_in();
    }

    void end() override {
        if (std::exchange(has_ended_, true))
            return;
        for (int i = 0; i < count_; ++i)
            copies_[i]->copy_back();
    }

private:
    bool has_ended_ = false;
    int count_ = 0;
    std::unique_ptr<PackedCopy> copies_[2];
};

int keep(int code, MPI_Request *request, std::unique_ptr<CopiesOfRequest> copies) {
    if (copies->is_empty() || code != MPI_SUCCESS)
        return code;
    if (!is_live_request(*request) || (*request)->kind != RequestKind::Operation) {
        copies->end(); // complete already
        return code;
    }
    static_cast<OperationRequest *>(*request)->buffers = std::move(copies);
    return code;
}

} // namespace

int keep_copies(int code, MPI_Request *request, Packed &buffer) {
    auto copies = std::make_unique<CopiesOfRequest>();
    copies->add(buffer.take_copy());
    return keep(code, request, std::move(copies));
}

int keep_copies(int code, MPI_Request *request, Packed &first, Packed &second) {
    auto copies = std::make_unique<CopiesOfRequest>();
    copies->add(first.take_copy());
    copies->add(second.take_copy());
    return keep(code, request, std::move(copies));
}

} // namespace thrum::fortran
