// Conversion of file data, and the datatypes that describe a file in another representation.
//
// A datatype is translated by repeating its construction. The basic datatypes at its leaves are
// replaced by blocks of as many bytes as they take in the file. Each constructor is called again
// with its old arguments. So displacements in elements scale, displacements in bytes stay.
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

// Calls the program's extent function for a basic datatype. Fails if the result is not a positive
// size.
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

// Sets `size_bytes` to the size of one basic element in the file.
Error bytes_of_basic(const Representation &representation, const Datatype &basic,
                     Count &size_bytes) MAY_SUSPEND {
    size_bytes = basic.size_bytes;
    if (representation.kind == Representation::Kind::External32)
        size_bytes = basic.external_bytes;
    else if (representation.kind == Representation::Kind::User)
        return ask_extent(representation, basic, size_bytes);
    return success;
}

// Returns what a named datatype, or a predefined one without a name, is in the file: itself if its
// size is the same, else as many bytes. A new reference.
Error basic_in_file(const Representation &representation, Datatype &basic,
                    Datatype *&result) MAY_SUSPEND {
    Count size_bytes = 0;
    if (Error error = bytes_in_file(representation, basic, 1, size_bytes))
        return error;
    // The same bytes: no new datatype is needed, and named ones are not counted.
    if (basic.contiguous && size_bytes == basic.size_bytes) {
        result = &basic;
        return success;
    }
    return new_contiguous(size_bytes, *find_datatype(MPI_BYTE), result);
}

// The arguments of a constructor, taken one after the other in the order of Contents.
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

// The two array constructors, whose arguments come in groups of one per dimension.
Error construct_array_again(int combiner, Arguments &a, Datatype &old, Datatype *&result) {
    if (combiner == MPI_COMBINER_SUBARRAY) {
        int dimensions = a.integer();
        const Count *sizes = a.array(dimensions), *parts = a.array(dimensions);
        const Count *starts = a.array(dimensions);
        return new_subarray(dimensions, sizes, parts, starts, a.integer(), old, result);
    }
    // The order of the arguments is that of MPI_Type_get_contents, which these calls consume one by
    // one.
    int size = a.integer(), rank = a.integer(), dimensions = a.integer();
    const Count *sizes = a.array(dimensions);
    std::vector<int> kinds = a.integers(dimensions), arguments = a.integers(dimensions);
    std::vector<int> processes = a.integers(dimensions);
    Distribution distribution{sizes, kinds.data(), arguments.data(), processes.data()};
    return new_distributed_array(size, rank, dimensions, distribution, a.integer(), old, result);
}

// Calls the constructor that `contents` describes again, with `types` in the place of the old
// datatypes. All types but those of a struct have only types[0].
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

// Calls the program's conversion function, in its int or its large-count form.
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

// Fails if the int argument of the conversion function cannot hold the number of elements.
Error check_items(const Representation &representation, bool writing, Count items) {
    AnyFunction function = writing ? representation.write : representation.read;
    if (function.large || items <= INT_MAX)
        return success;
    return fail(MPI_ERR_VALUE_TOO_LARGE,
                "one element of the datatype has %lld basic elements, more than the int argument "
                "of the conversion function of \"%s\" can hold",
                static_cast<long long>(items), representation.name.c_str());
}

// Sets `items` to how many whole basic elements are in `size_bytes` bytes of the file, and
// `native_bytes` to their size in memory. Walks the type map in order, as basic elements may have
// different sizes; stops at the first that is cut off.
Error count_items(const Representation &representation, const Datatype &datatype, Count count,
                  Count size_bytes, Count &items, Count &native_bytes) MAY_SUSPEND {
    Error error;
    bool cut = false; // a basic element was cut off: nothing further counts
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

// Recursive, with the depth of the constructors.
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

// The conversion function counts basic elements, not elements of the datatype, and gets the start
// of the buffer in every call; its position argument says how many earlier calls have converted.
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

// Only whole basic elements are converted.
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
