#include "io/representation.h"

#include "comm/process.h"
#include "datatype/basic_blocks.h"
#include "datatype/constructors.h"
#include "datatype/external32.h"

#include <climits>
#include <cstring>
#include <deque>

namespace thrum {

const Representation native_representation{
    Representation::Kind::Native, "native", {}, {}, nullptr, nullptr};
const Representation internal_representation{
    Representation::Kind::Native, "internal", {}, {}, nullptr, nullptr};
const Representation external32_representation{
    Representation::Kind::External32, "external32", {}, {}, nullptr, nullptr};

namespace {

// What the user says of a basic datatype.
Error ask_extent(const Representation &representation, const Datatype &basic,
                 Count &size_bytes) MAY_SUSPEND {
    MPI_Aint extent = 0;
    int code = representation.extent(handle_of(basic), &extent, representation.extra_state);
    if (code != MPI_SUCCESS)
        return fail(MPI_ERR_CONVERSION,
                    "the extent function of data representation \"%s\" returned %d",
                    representation.name.c_str(), code);
    if (extent == MPI_UNDEFINED)
        return fail(MPI_ERR_VALUE_TOO_LARGE,
                    "the extent function of data representation \"%s\" cannot represent an extent",
                    representation.name.c_str());
    if (extent <= 0)
        return fail(MPI_ERR_CONVERSION,
                    "the extent function of data representation \"%s\" says %ld bytes",
                    representation.name.c_str(), static_cast<long>(extent));
    size_bytes = extent;
    return success;
}

Error bytes_of_basic(const Representation &representation, const Datatype &basic,
                     Count &size_bytes) MAY_SUSPEND {
    size_bytes = basic.size_bytes;
    if (representation.kind == Representation::Kind::External32)
        size_bytes = basic.external_bytes;
    else if (representation.kind == Representation::Kind::User)
        return ask_extent(representation, basic, size_bytes);
    return success;
}

// A named datatype, or one of the predefined ones without a name.
Error basic_in_file(const Representation &representation, Datatype &basic,
                    Datatype *&result) MAY_SUSPEND {
    Count size_bytes = 0;
    if (Error error = bytes_in_file(representation, basic, 1, size_bytes))
        return error;
    if (basic.contiguous && size_bytes == basic.size_bytes) {
        result = &basic;
        return success;
    }
    return new_contiguous(size_bytes, *find_datatype(MPI_BYTE), result);
}

// The constructor's arguments once more.
class Arguments {
public:
    explicit Arguments(const Contents &contents) {
        for (const Contents::Argument &argument : contents.arguments)
            values_.push_back(argument.value);
    }

    Count number() { return values_[next_++]; }

    int integer() { return static_cast<int>(number()); }

    const Count *array(Count length) {
        const Count *first = values_.data() + next_;
        next_ += static_cast<size_t>(length);
        return first;
    }

    std::vector<int> integers(Count length) {
        const Count *first = array(length);
        return {first, first + length};
    }

private:
    std::vector<Count> values_;
    size_t next_ = 0;
};

Error construct_array_again(int combiner, Arguments &a, Datatype &old, Datatype *&result) {
    if (combiner == MPI_COMBINER_SUBARRAY) {
        int dimensions = a.integer();
        const Count *sizes = a.array(dimensions), *parts = a.array(dimensions);
        const Count *starts = a.array(dimensions);
        return new_subarray(dimensions, sizes, parts, starts, a.integer(), old, result);
    }
    int size = a.integer(), rank = a.integer(), dimensions = a.integer();
    const Count *sizes = a.array(dimensions);
    std::vector<int> kinds = a.integers(dimensions), arguments = a.integers(dimensions);
    std::vector<int> processes = a.integers(dimensions);
    Distribution distribution{sizes, kinds.data(), arguments.data(), processes.data()};
    return new_distributed_array(size, rank, dimensions, distribution, a.integer(), old, result);
}

// The datatype that `contents` describes, of other datatypes than when it was made.
Error construct_again(const Contents &contents, Datatype *const *types, Datatype *&result) {
    Arguments a(contents);
    Datatype &old = *types[0];
    switch (contents.combiner) {
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        return construct_array_again(contents.combiner, a, old, result);
    case MPI_COMBINER_DUP:
        return new_duplicate(old, result);
    case MPI_COMBINER_RESIZED: {
        Count lower_bound = a.number();
        return new_resized(old, lower_bound, a.number(), result);
    }
    default:
        break;
    }
    Count count = a.number();
    const Count *lengths = nullptr;
    switch (contents.combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return new_contiguous(count, old, result);
    case MPI_COMBINER_VECTOR:
        lengths = a.array(1);
        return new_vector(count, *lengths, a.number(), old, result);
    case MPI_COMBINER_HVECTOR:
        lengths = a.array(1);
        return new_hvector(count, *lengths, a.number(), old, result);
    case MPI_COMBINER_INDEXED:
        lengths = a.array(count);
        return new_indexed(count, lengths, a.array(count), old, result);
    case MPI_COMBINER_HINDEXED:
        lengths = a.array(count);
        return new_hindexed(count, lengths, a.array(count), old, result);
    case MPI_COMBINER_INDEXED_BLOCK:
        lengths = a.array(1);
        return new_indexed_block(count, *lengths, a.array(count), old, result);
    case MPI_COMBINER_HINDEXED_BLOCK:
        lengths = a.array(1);
        return new_hindexed_block(count, *lengths, a.array(count), old, result);
    case MPI_COMBINER_STRUCT:
        lengths = a.array(count);
        return new_struct(count, lengths, a.array(count), types, result);
    default:
        return fail(MPI_ERR_TYPE, "a datatype of combiner %d cannot describe a file",
                    contents.combiner);
    }
}

int call_conversion(const Representation &representation, bool writing, void *buffer,
                    const Datatype &datatype, Count count, void *bytes,
                    Count position) MAY_SUSPEND {
    AnyFunction function = writing ? representation.write : representation.read;
    MPI_Datatype handle = handle_of(datatype);
    if (function.large)
        return reinterpret_cast<MPI_Datarep_conversion_function_c *>(function.function)(
            buffer, handle, count, bytes, position, representation.extra_state);
    return reinterpret_cast<MPI_Datarep_conversion_function *>(function.function)(
        buffer, handle, static_cast<int>(count), bytes, position, representation.extra_state);
}

Error check_conversion(const Representation &representation, bool writing, int code) {
    if (code == MPI_SUCCESS)
        return success;
    return fail(MPI_ERR_CONVERSION, "the %s conversion function of \"%s\" returned %d",
                writing ? "write" : "read", representation.name.c_str(), code);
}

Error check_items(const Representation &representation, bool writing, Count items) {
    AnyFunction function = writing ? representation.write : representation.read;
    if (function.large || items <= INT_MAX)
        return success;
    return fail(MPI_ERR_VALUE_TOO_LARGE,
                "one element of the datatype has %lld basic elements, more than the int argument "
                "of the conversion function of \"%s\" can hold",
                static_cast<long long>(items), representation.name.c_str());
}

// How many basic elements `size_bytes` bytes of the file hold, and their bytes in memory.
Error count_items(const Representation &representation, const Datatype &datatype, Count count,
                  Count size_bytes, Count &items, Count &native_bytes) MAY_SUSPEND {
    Error error;
    bool cut = false;
    items = native_bytes = 0;
    visit_basic_blocks(datatype, count, nullptr,
                       [&](const Datatype &basic, char *, Count copies, Count) {
                           assert_may_suspend(); // the visit calls
                           Count one = 0;
                           if (cut || error)
                               return;
                           error = bytes_of_basic(representation, basic, one);
                           if (error)
                               return;
                           Count whole = size_bytes / one;
                           cut = whole < copies;
                           whole = cut ? whole : copies;
                           items += whole;
                           native_bytes += whole * basic.size_bytes;
                           size_bytes -= whole * one;
                       });
    return error;
}

} // namespace

Error bytes_in_file(const Representation &representation, const Datatype &datatype, Count count,
                    Count &size_bytes) {
    if (representation.kind == Representation::Kind::Native) {
        size_bytes = datatype.size_bytes * count;
        return success;
    }
    Count sum = 0;
    Error error;
    visit_basic_blocks(datatype, 1, nullptr,
                       [&](const Datatype &basic, char *, Count copies, Count) {
                           assert_may_suspend(); // the visit calls
                           Count one = 0;
                           if (!error)
                               error = bytes_of_basic(representation, basic, one);
                           sum += one * copies;
                       });
    size_bytes = sum * count;
    return error;
}

Error datatype_in_file(const Representation &representation, Datatype &datatype,
                       Datatype *&result) {
    if (representation.kind == Representation::Kind::Native) {
        retain(datatype);
        result = &datatype;
        return success;
    }
    if (datatype.predefined || !datatype.contents)
        return basic_in_file(representation, datatype, result);
    std::vector<Datatype *> types;
    Error error;
    for (Datatype *old : datatype.contents->types) {
        Datatype *converted = nullptr;
        error = datatype_in_file(representation, *old, converted);
        if (error)
            break;
        types.push_back(converted);
    }
    if (types.empty() && !error) // a struct of nothing
        types.push_back(find_datatype(MPI_BYTE));
    if (!error)
        error = construct_again(*datatype.contents, types.data(), result);
    for (Datatype *type : types)
        release(*type);
    return error;
}

Error convert_to_file(const Representation &representation, const void *buffer, Count done,
                      Count count, Datatype &datatype, char *bytes) {
    if (representation.kind == Representation::Kind::External32) {
        auto first = reinterpret_cast<uintptr_t>(buffer) +
                     static_cast<uintptr_t>(done) * static_cast<uintptr_t>(datatype.extent);
        pack_external(reinterpret_cast<const void *>(first), count, datatype, bytes);
        return success;
    }
    Count items = datatype.basic_elements;
    if (Error error = check_items(representation, true, items * count))
        return error;
    int code = call_conversion(representation, true, const_cast<void *>(buffer), datatype,
                               items * count, bytes, items * done);
    return check_conversion(representation, true, code);
}

Error convert_from_file(const Representation &representation, const char *bytes, Count size_bytes,
                        void *buffer, Count done, Count count, Datatype &datatype,
                        Count &converted_bytes) {
    if (representation.kind == Representation::Kind::External32) {
        auto first = reinterpret_cast<uintptr_t>(buffer) +
                     static_cast<uintptr_t>(done) * static_cast<uintptr_t>(datatype.extent);
        converted_bytes = unpack_external_part(bytes, size_bytes, reinterpret_cast<void *>(first),
                                               count, datatype);
        return success;
    }
    Count items = 0;
    if (Error error =
            count_items(representation, datatype, count, size_bytes, items, converted_bytes))
        return error;
    if (items == 0)
        return success;
    if (Error error = check_items(representation, false, items))
        return error;
    int code = call_conversion(representation, false, buffer, datatype, items,
                               const_cast<char *>(bytes), datatype.basic_elements * done);
    return check_conversion(representation, false, code);
}

} // namespace thrum
