// Conversion between bytes and basic elements, by walking the type map: whole blocks are counted by
// one division, so the cost is the number of blocks times the depth.
#include "datatype/elements.h"

#include "datatype/contents.h"

namespace thrum {
namespace {

// Walks the type map of one element until `rest` of `measure` (bytes or basic elements) is used up,
// and adds `other` of each part to `sum`. Returns false if a basic element is cut.
template <Count Datatype::*measure, Count Datatype::*other>
bool descend(const Datatype *type, Count rest, Count &sum) {
    while (rest > 0) {
        Count blocks = block_count(*type);
        if (blocks == 0)
            return false; // inside a basic datatype
        const Datatype *inside = nullptr;
        for (Count i = 0; i < blocks && !inside; ++i) {
            TypeBlock block = block_at(*type, i);
            Count one = block.type->*measure;
            if (one == 0 || block.copies == 0)
                continue;
            Count copies = rest / one < block.copies ? rest / one : block.copies;
            sum += copies * (block.type->*other);
            rest -= copies * one;
            if (copies < block.copies)
                inside = block.type;
            if (rest == 0)
                return true;
        }
        if (!inside)
            return false;
        type = inside;
    }
    return true;
}

// Converts `amount` of `measure` to `other`: whole elements by division, the rest by descend().
template <Count Datatype::*measure, Count Datatype::*other>
Count convert(const Datatype &type, Count amount) {
    Count one = type.*measure;
    if (one == 0)
        return amount == 0 ? 0 : MPI_UNDEFINED;
    Count sum = amount / one * (type.*other);
    return descend<measure, other>(&type, amount % one, sum) ? sum : MPI_UNDEFINED;
}

} // namespace

Count count_elements(const Datatype &datatype, Count size_bytes) {
    if (datatype.size_bytes == 0)
        return size_bytes == 0 ? 0 : MPI_UNDEFINED;
    return size_bytes % datatype.size_bytes ? MPI_UNDEFINED : size_bytes / datatype.size_bytes;
}

Count count_basic_elements(const Datatype &datatype, Count size_bytes) {
    return convert<&Datatype::size_bytes, &Datatype::basic_elements>(datatype, size_bytes);
}

Count bytes_of_basic_elements(const Datatype &datatype, Count basic_elements) {
    return convert<&Datatype::basic_elements, &Datatype::size_bytes>(datatype, basic_elements);
}

} // namespace thrum
