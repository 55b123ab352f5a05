// libFuzzer: constructors with arbitrary arguments, also absurd ones (MPI 5.0 chapter 5). The input
// is a program of a small stack machine, in which each step makes a datatype from existing ones. A
// datatype that is constructed without an error must agree with its type map, expanded byte by
// byte, if that is small enough. Nothing may crash or overflow.
#include "datatype/constructors.h"
#include "datatype/contents.h"

#include <algorithm>
#include <vector>

using namespace thrum;

namespace {

constexpr size_t types_max = 24;
constexpr Count expanded_bytes_max = 4000;
constexpr Count span_bytes_max = 1 << 20;

void require(bool condition) {
    if (!condition)
        __builtin_trap();
}

// Works like thrum::testing::expand(), but gives up after so many steps: a million copies of
// nothing are a datatype, too.
bool expand(const Datatype &type, Count displacement, std::vector<Count> &bytes, int &steps) {
    if (--steps < 0)
        return false;
    const Count blocks = block_count(type);
    if (blocks == 0)
        for (Count i = 0; type.predefined && i < type.size_bytes; ++i)
            bytes.push_back(displacement + i);
    for (Count b = 0; b < blocks; ++b) {
        const TypeBlock block = block_at(type, b);
        if (block.type->size_bytes == 0) // its place may be anywhere
            continue;
        for (Count i = 0; i < block.copies; ++i)
            if (!expand(*block.type, displacement + block.displacement + i * block.type->extent,
                        bytes, steps))
                return false;
        if (--steps < 0)
            return false;
    }
    return true;
}

class Program {
public:
    Program(const uint8_t *data, size_t size) : data_(data), end_(data + size) {}

    bool done() const { return data_ == end_; }

    uint8_t byte() { return data_ < end_ ? *data_++ : 0; }

    // Returns mostly small numbers; now and then one of any size.
    Count number() {
        const uint8_t first = byte();
        if (first < 0xe0)
            return static_cast<int8_t>(first << 2) >> 2;
        Count value = 0;
        for (int i = 0; i < (first & 7) + 1; ++i)
            value = static_cast<Count>(static_cast<uint64_t>(value) << 8 | byte());
        return first & 8 ? ~value : value;
    }

    Count count() { // never negative: the layer above checks that
        const Count value = number();
        return value < 0 ? ~value : value;
    }

    std::vector<Count> counts(size_t n) {
        std::vector<Count> values(n);
        for (Count &value : values)
            value = count();
        return values;
    }

    std::vector<Count> numbers(size_t n) {
        std::vector<Count> values(n);
        for (Count &value : values)
            value = number();
        return values;
    }

    std::vector<int> ints(size_t n) {
        std::vector<int> values(n);
        for (int &value : values)
            value = static_cast<int>(number());
        return values;
    }

private:
    const uint8_t *data_, *end_;
};

class Machine {
public:
    explicit Machine(Program program) : program_(program) {
        for (MPI_Datatype basic : {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_SHORT_INT, MPI_LONG_DOUBLE})
            types_.push_back(find_datatype(basic));
    }

    ~Machine() {
        for (Datatype *type : types_)
            release(*type);
    }

    void run() {
        while (!program_.done() && types_.size() < types_max) {
            Datatype *result = nullptr;
            if (Error error = step(result)) {
                require(!result && error_detail(error.code())[0] != '\0');
                continue;
            }
            check(*result);
            types_.push_back(result);
        }
    }

private:
    Datatype &any() { return *types_[program_.byte() % types_.size()]; }

    Error step(Datatype *&result);
    Error array_step(uint8_t action, Datatype *&result);
    void check(const Datatype &type);
    static void check_packing(const Datatype &type, const std::vector<Count> &bytes);

    Program program_;
    std::vector<Datatype *> types_;
};

Error Machine::step(Datatype *&result) {
    const uint8_t action = program_.byte() % 12;
    Datatype &old = any();
    const size_t n = program_.byte() % 6;
    switch (action) {
    case 0:
        return new_contiguous(program_.count(), old, result);
    case 1: {
        const Count count = program_.count(), length = program_.count();
        return new_vector(count, length, program_.number(), old, result);
    }
    case 2: {
        const Count count = program_.count(), length = program_.count();
        return new_hvector(count, length, program_.number(), old, result);
    }
    case 3:
    case 4: {
        const std::vector<Count> lengths = program_.numbers(n), places = program_.numbers(n);
        return (action == 3 ? new_indexed : new_hindexed)(static_cast<Count>(n), lengths.data(),
                                                          places.data(), old, result);
    }
    case 5:
    case 6: {
        const Count length = program_.count();
        const std::vector<Count> places = program_.numbers(n);
        return (action == 5 ? new_indexed_block : new_hindexed_block)(static_cast<Count>(n), length,
                                                                      places.data(), old, result);
    }
    case 7: {
        const Count lower = program_.number();
        return new_resized(old, lower, program_.number(), result);
    }
    case 8:
        return new_duplicate(old, result);
    case 9: {
        const std::vector<Count> lengths = program_.numbers(n), places = program_.numbers(n);
        std::vector<Datatype *> members(n);
        for (Datatype *&member : members)
            member = &any();
        return new_struct(static_cast<Count>(n), lengths.data(), places.data(), members.data(),
                          result);
    }
    default:
        return array_step(action, result);
    }
}

Error Machine::array_step(uint8_t action, Datatype *&result) {
    Datatype &old = any();
    const size_t n = program_.byte() % 4;
    const int dimensions = static_cast<int>(n);
    const int order = program_.byte() & 1 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    const std::vector<Count> sizes = program_.numbers(n);
    if (action == 10) {
        const std::vector<Count> parts = program_.numbers(n), starts = program_.numbers(n);
        return new_subarray(dimensions, sizes.data(), parts.data(), starts.data(), order, old,
                            result);
    }
    const int known[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, 7};
    std::vector<int> kinds(n);
    for (int &kind : kinds)
        kind = known[program_.byte() & 3];
    std::vector<int> arguments = program_.ints(n);
    for (int &argument : arguments)
        if (program_.byte() & 1)
            argument = MPI_DISTRIBUTE_DFLT_DARG;
    const std::vector<int> processes = program_.ints(n);
    const Distribution distribution{sizes.data(), kinds.data(), arguments.data(), processes.data()};
    const int size = static_cast<int>(program_.number());
    return new_distributed_array(size, static_cast<int>(program_.number()), dimensions,
                                 distribution, order, old, result);
}

void Machine::check(const Datatype &type) {
    require(type.size_bytes >= 0);
    if (type.size_bytes > expanded_bytes_max || type.true_extent > span_bytes_max ||
        type.true_lower_bound < -span_bytes_max || type.true_lower_bound > span_bytes_max ||
        block_count(type) > 10000)
        return;
    std::vector<Count> bytes;
    int steps = 20000;
    if (!expand(type, 0, bytes, steps))
        return;
    require(static_cast<Count>(bytes.size()) == type.size_bytes);
    if (bytes.empty())
        return;
    const auto [low, high] = std::minmax_element(bytes.begin(), bytes.end());
    require(type.true_lower_bound == *low && type.true_extent == *high + 1 - *low);
    check_packing(type, bytes);
}

// Checks that byte i of the packed form is the byte at place bytes[i], also when packed in pieces,
// and is unpacked to there.
void Machine::check_packing(const Datatype &type, const std::vector<Count> &bytes) {
    std::vector<unsigned char> memory(static_cast<size_t>(type.true_extent)), packed(bytes.size());
    for (size_t i = 0; i < memory.size(); ++i)
        memory[i] = static_cast<unsigned char>(i * 7 + 1);
    unsigned char *origin = memory.data() - type.true_lower_bound;
    pack_bytes(origin, 1, type, 0, bytes.size(), packed.data());
    for (size_t i = 0; i < bytes.size(); ++i)
        require(packed[i] == origin[bytes[i]]);
    // In two segments, like a message that is cut anywhere.
    std::vector<unsigned char> pieces(bytes.size());
    const size_t cut = bytes.size() / 3;
    pack_bytes(origin, 1, type, 0, cut, pieces.data());
    pack_bytes(origin, 1, type, cut, bytes.size() - cut, pieces.data() + cut);
    require(pieces == packed);
    std::vector<unsigned char> copy(memory.size());
    unpack_bytes(packed.data(), 0, packed.size(), copy.data() - type.true_lower_bound, 1, type);
    std::vector<bool> written(memory.size());
    for (Count place : bytes)
        written[static_cast<size_t>(place - type.true_lower_bound)] = true;
    for (size_t i = 0; i < memory.size(); ++i)
        require(copy[i] == (written[i] ? memory[i] : 0));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Machine(Program(data, size)).run();
    return 0;
}
