// The table of predefined datatypes and their layouts. Everything is computed at compile time from
// two lists of records. So ranks can use it before any constructor has run, and all ranks share it.
// Only Fortran's default types may change later (set_fortran_sizes()). Constants are those of the
// standard ABI.
#include "datatype/predefined.h"

#include "datatype/layout.h"
#include "datatype/sequence_hash.h"

#include <complex>
#include <cstddef>

namespace thrum {
namespace {

using Kind = BasicKind;
using Group = BasicGroup;

// A basic datatype: its constant, its name and how the machine and external32 represent it.
struct BasicRecord {
    uint16_t constant;
    const char *name;
    Kind kind;
    Group group;
    uint8_t size_bytes;
    uint8_t alignment;
    uint8_t external_bytes; // in external32 (section 14.5.2)
};

// A pair of a value and an index: its constant, its name and the constants of its parts.
struct PairRecord {
    uint16_t constant;
    const char *name;
    uint16_t value; // constants of the parts
    uint16_t index;
};

// The Fortran types are those of gfortran with its default kinds. MPI_REAL2 and MPI_COMPLEX4, which
// no compiler of this platform offers to Fortran, can be moved but not computed with.
constexpr BasicRecord basic_records[] = {
    {513, "MPI_AINT", Kind::Int64, Group::MultiLanguage, 8, 8, 8},
    {514, "MPI_COUNT", Kind::Int64, Group::MultiLanguage, 8, 8, 8},
    {515, "MPI_OFFSET", Kind::Int64, Group::MultiLanguage, 8, 8, 8},
    {519, "MPI_PACKED", Kind::Opaque, Group::None, 1, 1, 1},
    {520, "MPI_SHORT", Kind::Int16, Group::CInteger, 2, 2, 2},
    {521, "MPI_INT", Kind::Int32, Group::CInteger, 4, 4, 4},
    {522, "MPI_LONG", Kind::Int64, Group::CInteger, 8, 8, 4},
    {523, "MPI_LONG_LONG_INT", Kind::Int64, Group::CInteger, 8, 8, 8},
    {524, "MPI_UNSIGNED_SHORT", Kind::Uint16, Group::CInteger, 2, 2, 2},
    {525, "MPI_UNSIGNED", Kind::Uint32, Group::CInteger, 4, 4, 4},
    {526, "MPI_UNSIGNED_LONG", Kind::Uint64, Group::CInteger, 8, 8, 4},
    {527, "MPI_UNSIGNED_LONG_LONG", Kind::Uint64, Group::CInteger, 8, 8, 8},
    {528, "MPI_FLOAT", Kind::Float, Group::FloatingPoint, 4, 4, 4},
    {530, "MPI_C_COMPLEX", Kind::ComplexFloat, Group::Complex, 8, 4, 8},
    {531, "MPI_CXX_FLOAT_COMPLEX", Kind::ComplexFloat, Group::Complex, 8, 4, 8},
    {532, "MPI_DOUBLE", Kind::Double, Group::FloatingPoint, 8, 8, 8},
    {534, "MPI_C_DOUBLE_COMPLEX", Kind::ComplexDouble, Group::Complex, 16, 8, 16},
    {535, "MPI_CXX_DOUBLE_COMPLEX", Kind::ComplexDouble, Group::Complex, 16, 8, 16},
    {536, "MPI_LOGICAL", Kind::Logical32, Group::Logical, 4, 4, 4},
    {537, "MPI_INTEGER", Kind::Int32, Group::FortranInteger, 4, 4, 4},
    {538, "MPI_REAL", Kind::Float, Group::FloatingPoint, 4, 4, 4},
    {539, "MPI_COMPLEX", Kind::ComplexFloat, Group::Complex, 8, 4, 8},
    {540, "MPI_DOUBLE_PRECISION", Kind::Double, Group::FloatingPoint, 8, 8, 8},
    {541, "MPI_DOUBLE_COMPLEX", Kind::ComplexDouble, Group::Complex, 16, 8, 16},
    {542, "MPI_CHARACTER", Kind::Opaque, Group::None, 1, 1, 1},
    {544, "MPI_LONG_DOUBLE", Kind::LongDouble, Group::FloatingPoint, 16, 16, 16},
    {548, "MPI_C_LONG_DOUBLE_COMPLEX", Kind::ComplexLongDouble, Group::Complex, 32, 16, 32},
    {549, "MPI_CXX_LONG_DOUBLE_COMPLEX", Kind::ComplexLongDouble, Group::Complex, 32, 16, 32},
    {568, "MPI_C_BOOL", Kind::Bool, Group::Logical, 1, 1, 1},
    {569, "MPI_CXX_BOOL", Kind::Bool, Group::Logical, 1, 1, 1},
    {572, "MPI_WCHAR", Kind::Opaque, Group::None, 4, 4, 2},
    {576, "MPI_INT8_T", Kind::Int8, Group::CInteger, 1, 1, 1},
    {577, "MPI_UINT8_T", Kind::Uint8, Group::CInteger, 1, 1, 1},
    {579, "MPI_CHAR", Kind::Opaque, Group::Character, 1, 1, 1},
    {580, "MPI_SIGNED_CHAR", Kind::Int8, Group::CInteger, 1, 1, 1},
    {581, "MPI_UNSIGNED_CHAR", Kind::Uint8, Group::CInteger, 1, 1, 1},
    {583, "MPI_BYTE", Kind::Byte, Group::Byte, 1, 1, 1},
    {584, "MPI_INT16_T", Kind::Int16, Group::CInteger, 2, 2, 2},
    {585, "MPI_UINT16_T", Kind::Uint16, Group::CInteger, 2, 2, 2},
    {592, "MPI_INT32_T", Kind::Int32, Group::CInteger, 4, 4, 4},
    {593, "MPI_UINT32_T", Kind::Uint32, Group::CInteger, 4, 4, 4},
    {600, "MPI_INT64_T", Kind::Int64, Group::CInteger, 8, 8, 8},
    {601, "MPI_UINT64_T", Kind::Uint64, Group::CInteger, 8, 8, 8},
    {704, "MPI_LOGICAL1", Kind::Logical8, Group::Logical, 1, 1, 1},
    {705, "MPI_INTEGER1", Kind::Int8, Group::FortranInteger, 1, 1, 1},
    {712, "MPI_LOGICAL2", Kind::Logical16, Group::Logical, 2, 2, 2},
    {713, "MPI_INTEGER2", Kind::Int16, Group::FortranInteger, 2, 2, 2},
    {714, "MPI_REAL2", Kind::Opaque, Group::FloatingPoint, 2, 2, 2},
    {720, "MPI_LOGICAL4", Kind::Logical32, Group::Logical, 4, 4, 4},
    {721, "MPI_INTEGER4", Kind::Int32, Group::FortranInteger, 4, 4, 4},
    {722, "MPI_REAL4", Kind::Float, Group::FloatingPoint, 4, 4, 4},
    {723, "MPI_COMPLEX4", Kind::Opaque, Group::Complex, 4, 2, 4},
    {728, "MPI_LOGICAL8", Kind::Logical64, Group::Logical, 8, 8, 8},
    {729, "MPI_INTEGER8", Kind::Int64, Group::FortranInteger, 8, 8, 8},
    {730, "MPI_REAL8", Kind::Double, Group::FloatingPoint, 8, 8, 8},
    {731, "MPI_COMPLEX8", Kind::ComplexFloat, Group::Complex, 8, 4, 8},
    {736, "MPI_LOGICAL16", Kind::Logical128, Group::Logical, 16, 16, 16},
    {737, "MPI_INTEGER16", Kind::Int128, Group::FortranInteger, 16, 16, 16},
    {738, "MPI_REAL16", Kind::Float128, Group::FloatingPoint, 16, 16, 16},
    {739, "MPI_COMPLEX16", Kind::ComplexDouble, Group::Complex, 16, 8, 16},
    {747, "MPI_COMPLEX32", Kind::Complex128, Group::Complex, 32, 16, 32},
};

constexpr PairRecord pair_records[] = {
    {552, "MPI_FLOAT_INT", 528, 521}, {553, "MPI_DOUBLE_INT", 532, 521},
    {554, "MPI_LONG_INT", 522, 521},  {555, "MPI_2INT", 521, 521},
    {556, "MPI_SHORT_INT", 520, 521}, {557, "MPI_LONG_DOUBLE_INT", 544, 521},
    {560, "MPI_2REAL", 538, 538},     {561, "MPI_2DOUBLE_PRECISION", 540, 540},
    {562, "MPI_2INTEGER", 537, 537},
};

// The layouts, parallel to the table of datatypes. Pairs with a hole have a List of two entries,
// and its sentinel.
struct PredefinedLayouts {
    Layout layouts[predefined_datatype_count];
    LayoutEntry entries[std::size(pair_records)][3];
    constexpr PredefinedLayouts();
};

// The names, parallel to the table of datatypes.
struct PredefinedNames {
    const char *names[predefined_datatype_count] = {};

    constexpr PredefinedNames() {
        for (const BasicRecord &record : basic_records)
            names[record.constant - first_predefined_datatype] = record.name;
        for (const PairRecord &record : pair_records)
            names[record.constant - first_predefined_datatype] = record.name;
    }
};

constexpr PredefinedNames predefined_names;

// Returns the record of a constant, which must exist.
constexpr const BasicRecord &basic_record(uint16_t constant) {
    for (const BasicRecord &record : basic_records)
        if (record.constant == constant)
            return record;
    __builtin_unreachable();
}

constexpr Count round_up(Count value, Count multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Runs at compile time. A pair such as MPI_SHORT_INT has a list of two blocks if there is a hole
// between value and index.
constexpr PredefinedLayouts::PredefinedLayouts() : entries{} {
    for (const BasicRecord &record : basic_records) {
        Layout &layout = layouts[record.constant - first_predefined_datatype];
        layout.size_bytes = layout.block_bytes = layout.stride = record.size_bytes;
    }
    LayoutEntry(*entry)[3] = entries;
    for (const PairRecord &record : pair_records) {
        const BasicRecord &value = basic_record(record.value);
        const BasicRecord &index = basic_record(record.index);
        Layout &layout = layouts[record.constant - first_predefined_datatype];
        layout.size_bytes = value.size_bytes + index.size_bytes;
        Count index_offset = round_up(value.size_bytes, index.alignment);
        if (index_offset == value.size_bytes) { // one block, like a C struct without a hole
            layout.block_bytes = layout.stride = layout.size_bytes;
        } else {
            layout.kind = Layout::Kind::List;
            layout.depth = 1;
            layout.only_blocks = true;
            layout.count = 2;
            (*entry)[0] = {0, 0, nullptr};
            (*entry)[1] = {index_offset, value.size_bytes, nullptr};
            (*entry)[2] = {0, layout.size_bytes, nullptr};
            layout.entries = *entry;
        }
        ++entry;
    }
}

constinit PredefinedLayouts predefined_layouts;

constexpr uint32_t packed_code = 100;

// Returns the code of a basic datatype's representation in signatures. Signed integers have even
// codes up to 8, and the unsigned ones the odd codes that follow.
constexpr uint32_t signature_code(const BasicRecord &record) {
    constexpr uint16_t packed = 519, wchar = 572, real2 = 714, complex4 = 723;
    const auto kind = static_cast<uint32_t>(record.kind);
    if (record.kind >= Kind::Int8 && record.kind <= Kind::Int64)
        return 2 + 2 * (kind - static_cast<uint32_t>(Kind::Int8));
    if (record.kind >= Kind::Uint8 && record.kind <= Kind::Uint64)
        return 3 + 2 * (kind - static_cast<uint32_t>(Kind::Uint8));
    constexpr uint32_t first_code = 16;
    if (record.kind == Kind::Logical8)
        return first_code + static_cast<uint32_t>(Kind::Bool);
    if (record.kind != Kind::Opaque)
        return first_code + kind;
    switch (record.constant) {
    case packed:
        return packed_code;
    case wchar:
        return 101;
    case real2:
        return 102;
    case complex4:
        return 103;
    default: // MPI_CHAR, MPI_CHARACTER
        return 2;
    }
}

// Returns the code without the distinctions that TypeRules::Usual does not make.
constexpr uint32_t usual_code(uint32_t code) {
    return code < 16 ? code & ~1u : code;
}

constexpr void set_signature(Datatype &type, const BasicRecord &record) {
    type.signature = signature_code(record);
    type.element = &type;
    type.wildcards = record.kind == Kind::Byte       ? contains_byte
                     : type.signature == packed_code ? contains_packed
                                                     : 0;
    type.sequence[static_cast<int>(TypeRules::Usual)] = usual_code(type.signature);
    type.sequence[static_cast<int>(TypeRules::Standard)] = type.signature;
}

// A pair is its two members.
constexpr void set_signature_of_pair(Datatype &pair, const Datatype &value, const Datatype &index) {
    for (int i = 0; i < 2; ++i)
        pair.sequence[i] = sequence_hash::join(value.sequence[i], index.sequence[i], 1);
    const bool uniform = value.signature == index.signature;
    pair.signature = uniform ? value.signature
                             : word_of_hash(pair.sequence[static_cast<int>(TypeRules::Standard)]);
    pair.element = uniform ? &value : nullptr;
}

constexpr void set_basic(Datatype &type, const BasicRecord &record) {
    type.size_bytes = type.extent = type.true_extent = record.size_bytes;
    type.committed = type.predefined = type.contiguous = true;
    type.alignment = record.alignment;
    type.kind = record.kind;
    type.group = record.group;
    type.external_bytes = record.external_bytes;
    type.basic = &type;
    type.basic_elements = 1;
    set_signature(type, record);
}

constexpr void set_pair(Datatype &type, const Datatype &value, const Datatype &index) {
    type.alignment = value.alignment > index.alignment ? value.alignment : index.alignment;
    type.size_bytes = value.size_bytes + index.size_bytes;
    type.true_extent = round_up(value.size_bytes, index.alignment) + index.size_bytes;
    type.extent = round_up(type.true_extent, type.alignment);
    type.committed = type.predefined = true;
    type.contiguous = type.extent == type.size_bytes;
    type.kind = Kind::Pair;
    type.group = Group::Pair;
    type.basic = &value == &index ? &value : nullptr;
    type.basic_elements = 2;
    set_signature_of_pair(type, value, index);
}

} // namespace

// Runs at compile time, so that the predefined types need no initialisation at run time.
constexpr PredefinedDatatypes::PredefinedDatatypes() {
    for (const BasicRecord &record : basic_records) {
        size_t position = record.constant - first_predefined_datatype;
        set_basic(types[position], record);
        types[position].layout = &predefined_layouts.layouts[position];
    }
    for (const PairRecord &record : pair_records) {
        size_t position = record.constant - first_predefined_datatype;
        set_pair(types[position], types[record.value - first_predefined_datatype],
                 types[record.index - first_predefined_datatype]);
        types[position].layout = &predefined_layouts.layouts[position];
    }
}

constinit PredefinedDatatypes predefined_datatypes;

constexpr PredefinedDatatypeHandles::PredefinedDatatypeHandles() {
    const auto note = [this](uintptr_t constant) {
        const uintptr_t index = constant - first_predefined_datatype;
        types[index] = &predefined_datatypes.types[index];
    };
    for (const BasicRecord &record : basic_records)
        note(record.constant);
    for (const PairRecord &record : pair_records)
        note(record.constant);
}

constinit const PredefinedDatatypeHandles predefined_datatype_handles;

namespace {

// A type of Fortran whose kind depends on the compiler's options, and those of fixed size that it
// can be.
struct DefaultType {
    uint16_t constant;

    struct {
        int size_bytes;
        uint16_t constant;
    } choices[2];
};

constexpr DefaultType default_logical = {536, {{4, 720}, {8, 728}}};
constexpr DefaultType default_integer = {537, {{4, 721}, {8, 729}}};
constexpr DefaultType default_real = {538, {{4, 722}, {8, 730}}};
constexpr DefaultType default_complex = {539, {{4, 731}, {8, 739}}};
constexpr DefaultType double_precision = {540, {{8, 730}, {16, 738}}};
constexpr DefaultType double_complex = {541, {{8, 739}, {16, 747}}};

// Returns the record of the type that has this size, or nullptr.
const BasicRecord *find_record(const DefaultType &type, int size_bytes) {
    for (const auto &choice : type.choices)
        if (choice.size_bytes == size_bytes)
            return &basic_record(choice.constant);
    return nullptr;
}

// Sets a block without a hole as layout.
void set_layout(const Datatype &type) {
    Layout &layout = predefined_layouts.layouts[&type - predefined_datatypes.types];
    layout.size_bytes = layout.block_bytes = layout.stride = type.size_bytes;
}

// Makes a type, and the pair of two of it, what the record describes.
void resize(const DefaultType &type, const BasicRecord &record) {
    Datatype(&types)[predefined_datatype_count] = predefined_datatypes.types;
    Datatype &resized = types[type.constant - first_predefined_datatype];
    set_basic(resized, record);
    set_layout(resized);
    for (const PairRecord &pair : pair_records) {
        if (pair.value != type.constant)
            continue;
        Datatype &of_both = types[pair.constant - first_predefined_datatype];
        set_pair(of_both, resized, resized);
        set_layout(of_both);
    }
}

} // namespace

bool set_fortran_sizes(const FortranSizes &sizes) {
    const struct {
        const DefaultType &type;
        int size_bytes;
    } wanted[] = {{default_logical, sizes.logical},
                  {default_integer, sizes.integer},
                  {default_real, sizes.real},
                  {default_complex, sizes.real},
                  {double_precision, sizes.double_precision},
                  {double_complex, sizes.double_precision}};

    for (const auto &[type, size_bytes] : wanted)
        if (!find_record(type, size_bytes))
            return false;
    for (const auto &[type, size_bytes] : wanted)
        if (predefined_datatypes.types[type.constant - first_predefined_datatype].size_bytes !=
            find_record(type, size_bytes)->size_bytes)
            resize(type, *find_record(type, size_bytes));
    return true;
}

int fortran_integer_bytes() {
    const size_t index = default_integer.constant - first_predefined_datatype;
    return static_cast<int>(predefined_datatypes.types[index].size_bytes);
}

// A datatype without a name (unnamed.cc) is predefined, too, but has contents.
static bool is_named(const Datatype &datatype) {
    return datatype.predefined && !datatype.contents;
}

// The place in the table gives the constant.
MPI_Datatype handle_of(const Datatype &datatype) {
    if (is_named(datatype)) {
        auto index = static_cast<uintptr_t>(&datatype - predefined_datatypes.types);
        return reinterpret_cast<MPI_Datatype>(first_predefined_datatype + index);
    }
    return const_cast<MPI_Datatype>(&datatype);
}

const char *predefined_name(const Datatype &datatype) {
    if (!is_named(datatype))
        return nullptr;
    return predefined_names.names[&datatype - predefined_datatypes.types];
}

// Searches the few records; only the construction and description of pairs needs this.
PairParts pair_parts(const Datatype &pair) {
    PairParts parts;
    auto constant =
        static_cast<uintptr_t>(&pair - predefined_datatypes.types) + first_predefined_datatype;
    for (const PairRecord &record : pair_records) {
        if (record.constant != constant)
            continue;
        parts.value = &predefined_datatypes.types[record.value - first_predefined_datatype];
        parts.index = &predefined_datatypes.types[record.index - first_predefined_datatype];
    }
    parts.index_offset = round_up(parts.value->size_bytes, parts.index->alignment);
    return parts;
}

Datatype *find_pair(const Datatype &value, const Datatype &index) {
    for (Datatype &type : predefined_datatypes.types) {
        if (type.kind != BasicKind::Pair)
            continue;
        PairParts parts = pair_parts(type);
        if (parts.value == &value && parts.index == &index)
            return &type;
    }
    return nullptr;
}

} // namespace thrum
