// Choice buffers of mpi_f08 that are array sections (MPI 5.0 section 19.1.12). A section stands for
// its elements without the gaps between them: `count` elements of `datatype` are a part of those
// bytes. C gets the section's own address with a datatype that leaves the gaps out, so nothing is
// copied. It is made from the descriptor and kept for the next call.
//
// What has no datatype is copied for the duration of the operation (Packed): buffers of reductions,
// whose operations know no derived datatypes; and in collective operations a section whose parts
// for the peers do not all have the same shape.
#pragma once
#include "datatype/datatype.h"
#include "entry/argument.h"
#include "fortran/program/buffer.h"

#include <memory>

namespace thrum::fortran {

// A choice buffer, and its address as C knows it: MPI_BOTTOM and MPI_IN_PLACE are C's.
struct Section {
    const FortranBuffer *descriptor;
    void *address;

    // Returns whether its elements follow each other without gaps. Then count and datatype apply to
    // the address.
    bool is_dense() const {
        auto expected = static_cast<ptrdiff_t>(descriptor->element_bytes);
        for (int i = 0; i < descriptor->rank; ++i) {
            const FortranDimension &dimension = descriptor->dimensions[i];
            if (dimension.extent > 1 && dimension.stride != expected) [[unlikely]]
                return descriptor->base == nullptr;
            if (dimension.extent <= 0) // empty, or of assumed size
                return true;
            expected *= dimension.extent;
        }
        return true;
    }
};

// A datatype that is made or found for a call, which holds a reference to it.
class MadeDatatype {
public:
    MadeDatatype() = default;
    MadeDatatype(const MadeDatatype &) = delete;
    MadeDatatype &operator=(const MadeDatatype &) = delete;

    ~MadeDatatype() {
        if (type_) [[unlikely]]
            release(*type_);
    }

    // Takes over the caller's reference.
    void set(Datatype &type) { type_ = &type; }

private:
    Datatype *type_ = nullptr;
};

// What C gets instead of a choice buffer, its count and its datatype. Lives for one call.
class Argument {
public:
    explicit Argument(const Section &section) : Argument(section.address) {}

    explicit Argument(void *address) : address_(address) {}

    void *address() const { return address_; }

    MPI_Count count() const { return count_; }

    MPI_Datatype datatype() const { return datatype_; }

    const Error &error() const { return error_; }

protected:
    void *address_;
    MPI_Count count_ = 0;
    MPI_Datatype datatype_ = MPI_DATATYPE_NULL;
    MadeDatatype made_;
    Error error_;
};

// `count` elements of a datatype: a message, the buffer of a file operation, an origin.
class Elements : public Argument {
public:
    Elements(const Section &section, MPI_Count count, MPI_Datatype datatype)
        : Elements(section.address, count, datatype) {
        if (!section.is_dense()) [[unlikely]]
            describe(section);
    }

protected:
    Elements(void *address, MPI_Count count, MPI_Datatype datatype) : Argument(address) {
        count_ = count;
        datatype_ = datatype;
    }

    [[gnu::noinline]] void describe(const Section &section);
};

// The same for a blocking call that only reads the buffer. The elements of a small section are
// gathered on the stack: that takes less time than to look for a datatype.
class SentElements : public Elements {
public:
    SentElements(const Section &section, MPI_Count count, MPI_Datatype datatype)
        : Elements(section.address, count, datatype) {
        if (!section.is_dense()) [[unlikely]]
            gather(section);
    }

private:
    [[gnu::noinline]] void gather(const Section &section);

    char gathered_[4096];
};

// A buffer of which only the address is needed.
class FirstElement : public Argument {
public:
    using Argument::Argument;
};

// Memory that MPI keeps: a window, a buffer for sends. It must have no gaps.
class Dense : public Argument {
public:
    explicit Dense(const Section &section) : Argument(section) {
        if (!section.is_dense()) [[unlikely]]
            refuse();
    }

private:
    [[gnu::cold]] void refuse();
};

// A copy without gaps of a section, which is copied back if the operation may write it. Lives until
// the operation is complete.
class PackedCopy {
public:
    enum class Back : bool { No, Yes };
    // Returns nullptr if memory is short.
    static std::unique_ptr<PackedCopy> make(const Section &section, Back back);
    ~PackedCopy();
    PackedCopy(const PackedCopy &) = delete;
    PackedCopy &operator=(const PackedCopy &) = delete;

    void *memory() { return memory_; }

    void copy_in();
    void copy_back();

private:
    PackedCopy(void *section, Datatype &bytes, Back back, void *memory)
        : section_(section), bytes_(bytes), back_(back), memory_(memory) {}

    void *section_;
    Datatype &bytes_; // those of the section
    Back back_;
    void *memory_;
};

// A buffer that is copied if it has gaps. The copy back is made at the end of the call, or handed
// to the request of the operation (keep_copies()).
class Packed : public Argument {
public:
    Packed(const Section &section, PackedCopy::Back back) : Argument(section) {
        if (!section.is_dense()) [[unlikely]]
            copy(section, back);
    }

    ~Packed() {
        if (copy_) [[unlikely]]
            copy_->copy_back();
    }

    std::unique_ptr<PackedCopy> take_copy() { return std::move(copy_); }

protected:
    explicit Packed(const Section &section) : Argument(section) {}

    [[gnu::noinline]] void copy(const Section &section, PackedCopy::Back back);

private:
    std::unique_ptr<PackedCopy> copy_;
};

// The parts of all peers in a collective operation, one behind the other. `count` is that of each
// part; without one, the call has counts and displacements for each peer, in elements of the
// datatype.
class PartsOfPeers : public Packed {
public:
    PartsOfPeers(const Section &section, MPI_Datatype datatype, PackedCopy::Back back)
        : Packed(section) {
        datatype_ = datatype;
        if (!section.is_dense()) [[unlikely]]
            describe(section, back, false);
    }

    PartsOfPeers(const Section &section, MPI_Count count, MPI_Datatype datatype,
                 PackedCopy::Back back)
        : Packed(section) {
        count_ = count;
        datatype_ = datatype;
        if (!section.is_dense()) [[unlikely]]
            describe(section, back, true);
    }

private:
    [[gnu::noinline]] void describe(const Section &section, PackedCopy::Back back, bool has_count);
};

// The partitions of a message, of `count` elements each.
class Partitions : public Argument {
public:
    Partitions(const Section &section, MPI_Count count, MPI_Datatype datatype) : Argument(section) {
        count_ = count;
        datatype_ = datatype;
        if (!section.is_dense()) [[unlikely]]
            describe(section);
    }

private:
    [[gnu::noinline]] void describe(const Section &section);
};

// Hands the copies of a call's buffers to the request that it has made. `code` is the call's
// result, which is returned.
int keep_copies(int code, MPI_Request *request, Packed &buffer);
int keep_copies(int code, MPI_Request *request, Packed &first, Packed &second);

} // namespace thrum::fortran

namespace thrum::arg {

// A choice buffer of mpi_f08.
struct Section {
    const char *name;
    const fortran::Argument &buffer;

    [[gnu::always_inline]] bool is_valid(const Scope &) const { return !buffer.error(); }

    Error complain(const Scope &) const { return buffer.error(); }

    void *value() const { return buffer.address(); }
};

} // namespace thrum::arg
