#include "check/buffer_types.h"

#include "check/buffer_use.h"
#include "check/finding.h"
#include "comm/call_names.h"
#include "datatype/contents.h"
#include "datatype/describe.h"
#include "datatype/predefined.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace thrum {
namespace {

// Elements of the program's type, next to each other.
struct ProgramElements {
    Count displacement;
    char kind; // as in types_gcc.cc
    Count size_bytes;
    Count copies;
};

// A type of the program.
struct ProgramType {
    std::string call_and_argument; // "MPI_Send: buf"
    std::string name;
    bool is_member = false; // of something that is not described
    bool is_struct = false;
    Count size_bytes = 0;
    std::vector<ProgramElements> elements;
};

// A basic element of a datatype.
struct Element {
    const Datatype *type;
    Count displacement;
};

// Reads "MPI_Send buf|double|8 0f8": what types_gcc.cc has written.
ProgramType read(const char *text) {
    ProgramType type;
    const char *name = std::strchr(text, '|') + 1, *size = std::strchr(name, '|') + 1;
    type.call_and_argument.assign(text + (*text == '*'), name - 1);
    type.call_and_argument.replace(type.call_and_argument.find(' '), 1, ": ");
    type.name.assign(name, size - 1);
    type.is_member = *size == 'm';
    type.is_struct = *size == 's';
    char *next = nullptr;
    type.size_bytes = std::strtoll(size + (type.is_member || type.is_struct), &next, 10);
    while (*next == ' ') {
        ProgramElements elements{.displacement = 0, .kind = 0, .size_bytes = 0, .copies = 1};
        elements.displacement = std::strtoll(next, &next, 10);
        elements.kind = *next;
        elements.size_bytes = std::strtoll(next + 1, &next, 10);
        if (*next == '*')
            elements.copies = std::strtoll(next + 1, &next, 10);
        type.elements.push_back(elements);
    }
    return type;
}

// The first basic elements of data.
class Elements {
public:
    Elements(const Datatype &type, Count count) {
        for (Count i = 0; i < count && has_room(); ++i)
            add(type, i * type.extent, 0);
    }

    const std::vector<Element> &list() const { return list_; }

private:
    static constexpr size_t elements_max = 4096;
    static constexpr int depth_max = 32;

    bool has_room() const { return list_.size() < elements_max; }

    void add(const Datatype &type, Count displacement, int depth) {
        if (type.size_bytes == 0 || depth == depth_max || !has_room())
            return;
        if (type.kind == BasicKind::Pair) {
            const PairParts parts = pair_parts(type);
            list_.push_back({parts.value, displacement});
            list_.push_back({parts.index, displacement + parts.index_offset});
            return;
        }
        const Count blocks = block_count(type);
        if (blocks == 0)
            list_.push_back({&type, displacement});
        for (Count i = 0; i < blocks; ++i) {
            const TypeBlock block = block_at(type, i);
            for (Count copy = 0; copy < block.copies && has_room(); ++copy)
                add(*block.type, displacement + block.displacement + copy * block.type->extent,
                    depth + 1);
        }
    }

    std::vector<Element> list_;
};

// The kinds of the program that a basic datatype of MPI describes; nullptr: all of them.
const char *kinds_of(BasicKind kind) {
    switch (kind) {
    case BasicKind::Int8:
    case BasicKind::Int16:
    case BasicKind::Int32:
    case BasicKind::Int64:
    case BasicKind::Int128:
        return "ie";
    case BasicKind::Uint8:
    case BasicKind::Uint16:
    case BasicKind::Uint32:
    case BasicKind::Uint64:
        return "ue";
    case BasicKind::Float:
    case BasicKind::Double:
    case BasicKind::LongDouble:
    case BasicKind::Float128:
        return "fz";
    case BasicKind::ComplexFloat:
    case BasicKind::ComplexDouble:
    case BasicKind::ComplexLongDouble:
    case BasicKind::Complex128:
        return "zf";
    case BasicKind::Bool:
    case BasicKind::Logical8:
    case BasicKind::Logical16:
    case BasicKind::Logical32:
    case BasicKind::Logical64:
    case BasicKind::Logical128:
        return "bieu";
    default:
        return nullptr;
    }
}

// Returns whether a basic element of a datatype may be at `offset` in one of these elements.
bool fits(const Datatype &basic, Count offset, const ProgramElements &elements) {
    if (elements.kind == 'c')
        return false;
    if (elements.kind == 'p') // an address, or an integer of its size
        return offset % elements.size_bytes == 0 && basic.size_bytes == elements.size_bytes &&
               std::strchr("ieu", *kinds_of(basic.kind));
    if (!std::strchr(kinds_of(basic.kind), elements.kind))
        return false;
    const bool is_complex = *kinds_of(basic.kind) == 'z';
    if (is_complex != (elements.kind == 'z') && (is_complex || elements.kind == 'z')) {
        const Count part = is_complex ? elements.size_bytes : basic.size_bytes;
        return offset % part == 0 && std::max(basic.size_bytes, elements.size_bytes) == 2 * part;
    }
    return offset % elements.size_bytes == 0 && basic.size_bytes == elements.size_bytes;
}

// Returns the elements of the program on which an element of the datatype lies wrongly, or nullptr.
const ProgramElements *find_misfit(const ProgramType &program, const Element &element) {
    const Datatype &basic = *element.type;
    if (basic.size_bytes == 1 || !kinds_of(basic.kind))
        return nullptr;
    Count offset = element.displacement % program.size_bytes;
    if (offset < 0)
        offset += program.size_bytes;
    for (const ProgramElements &elements : program.elements) {
        const Count inside = offset - elements.displacement;
        if (inside + basic.size_bytes <= 0 || inside >= elements.size_bytes * elements.copies)
            continue;
        return inside >= 0 && fits(basic, inside, elements) ? nullptr : &elements;
    }
    return nullptr;
}

const char *name_of_kind(char kind) {
    switch (kind) {
    case 'i':
        return "a signed integer";
    case 'u':
        return "an unsigned integer";
    case 'f':
        return "a floating-point number";
    case 'z':
        return "a complex number";
    case 'b':
        return "a boolean";
    case 'e':
        return "an enumeration";
    case 'c':
        return "a character";
    default:
        return "a pointer";
    }
}

std::string text_of(const Datatype &type) {
    char text[200];
    return describe(type, text, sizeof text);
}

// "MPI_Send: buf points to int, but the datatype is MPI_DOUBLE"
std::string sentence(const ProgramType &program, const Datatype &type, const Element &element,
                     const ProgramElements &misfit) {
    std::string text = program.call_and_argument + " points to " + program.name;
    if (!program.is_struct && &type == element.type)
        return text + ", but the datatype is " + text_of(type);
    if (program.is_struct)
        text += ", which has " + std::string(name_of_kind(misfit.kind)) + " of " +
                std::to_string(misfit.size_bytes) + " bytes at byte " +
                std::to_string(misfit.displacement);
    return text + ", but " + text_of(type) + " has " + text_of(*element.type) + " at byte " +
           std::to_string(element.displacement);
}

// Returns whether the text says what is at all places that the datatype may describe. A derived
// datatype may reach from a scalar to other variables; those of one basic type do not.
bool is_comparable(const ProgramType &program, const Datatype &type) {
    return !program.elements.empty() &&
           (type.predefined || (!program.is_member && (program.is_struct || type.element)));
}

void report(const std::string &what, const void *place) {
    const CallPlace call{.function = 0, .call_site = place};
    if (is_first_warning(PairMistake::BufferType, call, call))
        report_finding("rank " + std::to_string(current_rank().world_rank) + ": " + what + " (at " +
                       site_of_call(call) + ")");
}

void compare_types(const ProgramBuffer &buffer, const ProgramType &program) {
    constexpr Count count_max = 16; // more repeat what was seen
    if (!is_comparable(program, *buffer.type))
        return;
    const Elements elements(*buffer.type, buffer.count < 0 ? 1 : std::min(buffer.count, count_max));
    for (const Element &element : elements.list())
        if (const ProgramElements *misfit = find_misfit(program, element)) {
            report(sentence(program, *buffer.type, element, *misfit), buffer.place);
            return;
        }
}

void compare_sizes(const ProgramBuffer &buffer, const ProgramType &program) {
    const BufferUse use{buffer.address, buffer.count * buffer.ranks, buffer.type,
                        BufferAccess::Read};
    if (buffer.size_bytes == SIZE_MAX || buffer.count < 0 || use.is_empty())
        return;
    // Displacements may be negative.
    const auto address = reinterpret_cast<uintptr_t>(buffer.address);
    const uintptr_t needed = std::max(span_of(use).high, address) - address;
    if (needed <= buffer.size_bytes)
        return;
    report(program.call_and_argument + " has " + std::to_string(buffer.size_bytes) +
               " bytes, but " + std::to_string(use.count) + " elements of " +
               text_of(*buffer.type) + " reach to byte " + std::to_string(needed),
           buffer.place);
}

} // namespace

void check_program_buffer(const ProgramBuffer &buffer) {
    const ProgramType program = read(buffer.description);
    compare_types(buffer, program);
    compare_sizes(buffer, program);
}

} // namespace thrum
