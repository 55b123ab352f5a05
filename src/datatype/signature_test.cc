// Signatures against sequences of basic types that are expanded one by one.
#include "datatype/basic_blocks.h"
#include "datatype/signature.h"
#include "datatype/testing/random_datatype.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using testing::RandomDatatypes;
constexpr TypeRules all_rules[] = {TypeRules::Usual, TypeRules::Standard};

// Returns the basic types of `count` elements.
std::vector<const Datatype *> expand(const Datatype &type, Count count) {
    std::vector<const Datatype *> sequence;
    visit_basic_blocks(type, count, nullptr,
                       [&](const Datatype &basic, char *, Count copies, Count) {
                           sequence.insert(sequence.end(), static_cast<size_t>(copies), &basic);
                       });
    return sequence;
}

bool same(const Datatype &a, const Datatype &b, TypeRules rules) {
    const auto code = [&](const Datatype &basic) -> int {
        const BasicKind kind = basic.kind;
        const int number = static_cast<int>(kind);
        if (kind >= BasicKind::Uint8 && kind <= BasicKind::Uint64 && rules == TypeRules::Usual)
            return number - static_cast<int>(BasicKind::Uint8) + static_cast<int>(BasicKind::Int8);
        if (kind == BasicKind::Logical8)
            return static_cast<int>(BasicKind::Bool);
        if (kind == BasicKind::Opaque) // of those in the random types: MPI_CHAR
            return static_cast<int>(BasicKind::Int8);
        return number;
    };
    return code(a) == code(b);
}

uint64_t hash_of(const std::vector<const Datatype *> &sequence, size_t length, TypeRules rules) {
    uint64_t hash = 0;
    for (size_t i = 0; i < length; ++i)
        hash = sequence_hash::join(hash, sequence[i]->sequence[static_cast<int>(rules)], 1);
    return hash;
}

bool contains_bytes(const std::vector<const Datatype *> &sequence) {
    for (const Datatype *basic : sequence)
        if (basic->kind == BasicKind::Byte)
            return true;
    return false;
}

// Returns whether the first `bytes` bytes of two sequences match, element by element.
bool prefixes_match(const std::vector<const Datatype *> &a, const std::vector<const Datatype *> &b,
                    size_t bytes, TypeRules rules) {
    size_t i = 0;
    while (bytes > 0) {
        if (i == a.size() || i == b.size() || !same(*a[i], *b[i], rules))
            return false;
        const auto size = static_cast<size_t>(a[i]->size_bytes);
        if (size > bytes)
            return false;
        bytes -= size;
        ++i;
    }
    return true;
}

const Datatype &basic(MPI_Datatype handle) {
    return *find_datatype(handle);
}

bool match(MPI_Datatype sent, MPI_Datatype received, TypeRules rules) {
    const Datatype &a = basic(sent), &b = basic(received);
    return types_surely_match(a, b) || types_match({&a, 960}, {&b, 960}, rules);
}

// Makes a struct of one element each.
Datatype *struct_of(const std::vector<MPI_Datatype> &handles) {
    std::vector<Count> lengths, places;
    std::vector<Datatype *> types;
    Count place = 0;
    for (MPI_Datatype handle : handles) {
        types.push_back(find_datatype(handle));
        lengths.push_back(1);
        places.push_back(place);
        place += 16;
    }
    Datatype *result = nullptr;
    EXPECT_FALSE(new_struct(static_cast<Count>(types.size()), lengths.data(), places.data(),
                            types.data(), result));
    return result;
}

size_t bytes_of(const Datatype &type, Count count) {
    return data_bytes(count, type);
}

} // namespace

TEST(Signature, OfRandomDatatypesIsThatOfTheirExpandedSequence) {
    RandomDatatypes random(testing::test_seed());
    for (int round = 0; round < 3000; ++round) {
        Datatype *type = random.make(static_cast<int>(random.number(0, 4)));
        const std::vector<const Datatype *> sequence = expand(*type, 1);
        ASSERT_EQ(type->basic_elements, static_cast<Count>(sequence.size()));
        EXPECT_EQ(type->signature == 0, sequence.empty());
        EXPECT_EQ((type->wildcards & contains_byte) != 0, contains_bytes(sequence));
        bool uniform = true;
        for (const Datatype *element : sequence)
            uniform = uniform && same(*element, *sequence[0], TypeRules::Standard);
        if (!sequence.empty()) {
            EXPECT_EQ((type->signature & mixed_signature) == 0, uniform);
        }
        for (TypeRules rules : all_rules)
            ASSERT_EQ(type->sequence[static_cast<int>(rules)],
                      hash_of(sequence, sequence.size(), rules));
        release(*type);
    }
}

TEST(Signature, OfAPrefixIsThatOfItsElements) {
    RandomDatatypes random(testing::test_seed());
    for (int round = 0; round < 500; ++round) {
        Datatype *type = random.make(static_cast<int>(random.number(1, 4)));
        const Count count = random.number(1, 5);
        const std::vector<const Datatype *> sequence = expand(*type, count);
        size_t bytes = 0;
        for (size_t i = 0; i <= sequence.size(); ++i) {
            const PrefixHash prefix = prefix_hash({type, bytes}, TypeRules::Usual);
            ASSERT_FALSE(prefix.is_cut);
            ASSERT_EQ(prefix.hash, hash_of(sequence, i, TypeRules::Usual));
            if (i == sequence.size())
                break;
            if (sequence[i]->size_bytes > 1) {
                EXPECT_TRUE(prefix_hash({type, bytes + 1}, TypeRules::Usual).is_cut);
            }
            bytes += static_cast<size_t>(sequence[i]->size_bytes);
        }
        release(*type);
    }
}

TEST(Signature, MatchesExactlyIfAllElementsDo) {
    RandomDatatypes random(testing::test_seed());
    int matches = 0, mismatches = 0;
    for (int round = 0; round < 20000; ++round) {
        Datatype *a = random.make(static_cast<int>(random.number(0, 3)));
        Datatype *b = random.number(0, 2) ? random.make(static_cast<int>(random.number(0, 3))) : a;
        const size_t sent_bytes = bytes_of(*a, random.number(0, 4));
        const size_t room_bytes = bytes_of(*b, random.number(0, 6));
        if (sent_bytes <= room_bytes && b->size_bytes > 0 && a->size_bytes > 0) {
            const auto sent = expand(*a, static_cast<Count>(sent_bytes) / a->size_bytes);
            const auto received = expand(*b, static_cast<Count>(room_bytes) / b->size_bytes);
            for (TypeRules rules : all_rules) {
                const bool excused =
                    rules == TypeRules::Usual && (contains_bytes(sent) || contains_bytes(received));
                const bool expected = excused || prefixes_match(sent, received, sent_bytes, rules);
                const bool found = types_surely_match(*a, *b) ||
                                   types_match({a, sent_bytes}, {b, room_bytes}, rules);
                ASSERT_EQ(found, expected || sent_bytes == 0) << "round " << round;
                ++(expected ? matches : mismatches);
            }
        }
        if (a != b)
            release(*b);
        release(*a);
    }
    EXPECT_GT(matches, 1000);
    EXPECT_GT(mismatches, 1000);
}

TEST(Signature, IsTheSameForAllNamesOfARepresentation) {
    const std::vector<std::vector<MPI_Datatype>> names = {
        {MPI_INT, MPI_INTEGER, MPI_INT32_T, MPI_INTEGER4},
        {MPI_LONG, MPI_LONG_LONG, MPI_INT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INTEGER8},
        {MPI_FLOAT, MPI_REAL, MPI_REAL4},
        {MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8},
        {MPI_CHAR, MPI_CHARACTER, MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INTEGER1},
        {MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL1},
        {MPI_LOGICAL, MPI_LOGICAL4},
        {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16},
        {MPI_WCHAR},
        {MPI_LONG_DOUBLE},
        {MPI_REAL16}};
    for (const auto &one : names)
        for (const auto &other : names)
            for (MPI_Datatype a : one)
                for (MPI_Datatype b : other)
                    for (TypeRules rules : all_rules)
                        EXPECT_EQ(match(a, b, rules), &one == &other);
}

TEST(Signature, OfBytesAndUnsignedIntegersMattersToTheStandardOnly) {
    EXPECT_TRUE(match(MPI_UNSIGNED, MPI_INT, TypeRules::Usual));
    EXPECT_FALSE(match(MPI_UNSIGNED, MPI_INT, TypeRules::Standard));
    EXPECT_FALSE(match(MPI_UNSIGNED, MPI_LONG, TypeRules::Usual));
    EXPECT_TRUE(match(MPI_BYTE, MPI_DOUBLE, TypeRules::Usual));
    EXPECT_FALSE(match(MPI_BYTE, MPI_DOUBLE, TypeRules::Standard));
    EXPECT_TRUE(match(MPI_PACKED, MPI_DOUBLE, TypeRules::Standard));
    EXPECT_TRUE(match(MPI_BYTE, MPI_PACKED, TypeRules::Standard));
}

TEST(Signature, OfTwoTimesAStructIsThatOfTheStructTwice) {
    Datatype *once = struct_of({MPI_INT, MPI_DOUBLE});
    Datatype *twice = struct_of({MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE});
    Datatype *other = struct_of({MPI_INT, MPI_DOUBLE, MPI_DOUBLE, MPI_INT});
    EXPECT_TRUE(types_match({once, 24}, {twice, 24}, TypeRules::Standard));
    EXPECT_TRUE(types_match({once, 12}, {twice, 24}, TypeRules::Standard));
    EXPECT_TRUE(types_match({once, 12}, {other, 24}, TypeRules::Standard));
    EXPECT_FALSE(types_match({once, 24}, {other, 24}, TypeRules::Standard));
    EXPECT_EQ(
        difference_text({once, 24}, {other, 24}, TypeRules::Usual, "the message", "the receive"),
        "element 2 is MPI_INT in the message and MPI_DOUBLE in the receive");
    EXPECT_EQ(types_text({other, 24}, true), "1 MPI_INT, 2 MPI_DOUBLE, 1 MPI_INT");
    EXPECT_EQ(types_text({twice, 24}, true), "1 MPI_INT, 1 MPI_DOUBLE, 1 MPI_INT, ...");
    for (Datatype *type : {once, twice, other})
        release(*type);
}

TEST(Signature, OfAHugeRepetitionTakesFewSteps) {
    Datatype *once = struct_of({MPI_INT, MPI_DOUBLE});
    Datatype *many = nullptr, *pairs = nullptr,
             *twice = struct_of({MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE});
    ASSERT_FALSE(new_contiguous(Count{1} << 50, *once, many));
    ASSERT_FALSE(new_contiguous(Count{1} << 49, *twice, pairs));
    EXPECT_EQ(many->sequence[0], pairs->sequence[0]);
    EXPECT_EQ(many->signature, once->signature);
    const size_t bytes = bytes_of(*many, 1);
    EXPECT_TRUE(types_match({many, bytes}, {pairs, bytes}, TypeRules::Standard));
    EXPECT_TRUE(types_match({once, bytes}, {pairs, bytes}, TypeRules::Standard));
    EXPECT_FALSE(types_match({find_datatype(MPI_DOUBLE), bytes}, {pairs, bytes}, TypeRules::Usual));
    for (Datatype *type : {many, pairs, once, twice})
        release(*type);
}

TEST(Signature, TextNamesTypesAsTheProgramDoes) {
    Datatype *type = struct_of({MPI_INT, MPI_DOUBLE});
    type->name = strdup("particle");
    EXPECT_EQ(types_text({type, 12}, true), "1 MPI_INT, 1 MPI_DOUBLE (datatype \"particle\")");
    EXPECT_EQ(types_text({find_datatype(MPI_INT), 40}, true), "10 MPI_INT");
    EXPECT_EQ(types_text({find_datatype(MPI_INT), 40}, false), "MPI_INT");
    release(*type);
}

} // namespace thrum
