// Predefined datatypes, constructors and their errors, elements, external32 (MPI 5.0 chapter 5).
#include "datatype/constructors.h"
#include "datatype/contents.h"
#include "datatype/datatype.h"
#include "datatype/elements.h"
#include "datatype/external32.h"
#include "datatype/layout.h"
#include "datatype/op.h"
#include "datatype/predefined.h"
#include "datatype/status.h"
#include "datatype/testing/random_datatype.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

using namespace thrum;
using namespace thrum::testing;

namespace {

Datatype &type_of(MPI_Datatype handle) {
    return *find_datatype(handle);
}

// Releases the datatype at the end of a test.
struct Owned {
    Datatype *type = nullptr;
    Owned() = default;
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;

    ~Owned() {
        if (type)
            release(*type);
    }

    Datatype &operator*() const { return *type; }

    Datatype *operator->() const { return type; }
};

void expect_error(Error error, int code, const char *sentence) {
    EXPECT_EQ(error.code(), code);
    EXPECT_STREQ(error_detail(code), sentence);
}

} // namespace

TEST(Datatype, PredefinedSizesAreThoseOfTheCompiler) {
    struct Case {
        MPI_Datatype handle;
        size_t size_bytes;
        const char *name;
    };

    const Case cases[] = {
        {MPI_CHAR, sizeof(char), "MPI_CHAR"},
        {MPI_SHORT, sizeof(short), "MPI_SHORT"},
        {MPI_INT, sizeof(int), "MPI_INT"},
        {MPI_LONG, sizeof(long), "MPI_LONG"},
        {MPI_LONG_LONG, sizeof(long long), "MPI_LONG_LONG_INT"},
        {MPI_UNSIGNED_LONG_LONG, sizeof(long long), "MPI_UNSIGNED_LONG_LONG"},
        {MPI_FLOAT, sizeof(float), "MPI_FLOAT"},
        {MPI_DOUBLE, sizeof(double), "MPI_DOUBLE"},
        {MPI_LONG_DOUBLE, sizeof(long double), "MPI_LONG_DOUBLE"},
        {MPI_WCHAR, sizeof(wchar_t), "MPI_WCHAR"},
        {MPI_C_BOOL, sizeof(bool), "MPI_C_BOOL"},
        {MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double), "MPI_C_LONG_DOUBLE_COMPLEX"},
        {MPI_AINT, sizeof(MPI_Aint), "MPI_AINT"},
        {MPI_COUNT, sizeof(MPI_Count), "MPI_COUNT"},
        {MPI_OFFSET, sizeof(MPI_Offset), "MPI_OFFSET"},
        {MPI_BYTE, 1, "MPI_BYTE"},
        {MPI_PACKED, 1, "MPI_PACKED"},
        {MPI_INTEGER, sizeof(MPI_Fint), "MPI_INTEGER"},
        {MPI_REAL16, 16, "MPI_REAL16"},
        {MPI_COMPLEX32, 32, "MPI_COMPLEX32"},
    };
    for (const Case &c : cases) {
        Datatype &type = type_of(c.handle);
        EXPECT_EQ(type.size_bytes, static_cast<Count>(c.size_bytes)) << c.name;
        EXPECT_TRUE(type.committed && type.predefined && type.contiguous) << c.name;
        EXPECT_STREQ(predefined_name(type), c.name);
        EXPECT_EQ(handle_of(type), c.handle);
    }
}

TEST(Datatype, PairsAreLaidOutAsCStructs) {
    struct ShortInt {
        short value;
        int index;
    };

    struct LongDoubleInt {
        long double value;
        int index;
    };

    EXPECT_EQ(type_of(MPI_SHORT_INT).size_bytes, 6);
    EXPECT_EQ(type_of(MPI_SHORT_INT).extent, static_cast<Count>(sizeof(ShortInt)));
    EXPECT_FALSE(type_of(MPI_SHORT_INT).contiguous);
    EXPECT_EQ(type_of(MPI_LONG_DOUBLE_INT).size_bytes, 20);
    EXPECT_EQ(type_of(MPI_LONG_DOUBLE_INT).extent, static_cast<Count>(sizeof(LongDoubleInt)));
    EXPECT_TRUE(type_of(MPI_2INT).contiguous);
    ShortInt data[2] = {{1, 2}, {3, 4}};
    char packed[12];
    pack_bytes(data, 2, type_of(MPI_SHORT_INT), 0, sizeof packed, packed);
    ShortInt back[2] = {};
    unpack_bytes(packed, 0, sizeof packed, back, 2, type_of(MPI_SHORT_INT));
    EXPECT_EQ(back[1].value, 3);
    EXPECT_EQ(back[1].index, 4);
}

// The table is the process's: the sizes are those of before at the end.
TEST(Datatype, DefaultTypesOfFortranHaveTheSizesThatAreSet) {
    const auto bytes = [](MPI_Datatype handle) {
        return find_datatype(handle)->size_bytes;
    };
    const auto word = [](MPI_Datatype handle) {
        return find_datatype(handle)->signature;
    };
    ASSERT_TRUE(set_fortran_sizes({.logical = 8, .integer = 8, .real = 8, .double_precision = 16}));
    EXPECT_EQ(bytes(MPI_LOGICAL), 8);
    EXPECT_EQ(word(MPI_INTEGER), word(MPI_INTEGER8));
    EXPECT_EQ(word(MPI_REAL), word(MPI_REAL8));
    EXPECT_EQ(word(MPI_COMPLEX), word(MPI_COMPLEX16));
    EXPECT_EQ(word(MPI_DOUBLE_PRECISION), word(MPI_REAL16));
    EXPECT_EQ(word(MPI_DOUBLE_COMPLEX), word(MPI_COMPLEX32));
    for (MPI_Datatype pair : {MPI_2INTEGER, MPI_2REAL}) {
        EXPECT_EQ(bytes(pair), 16);
        EXPECT_EQ(find_datatype(pair)->extent, 16);
        EXPECT_EQ(find_datatype(pair)->layout->block_bytes, 16);
        EXPECT_TRUE(find_kernel(*find_op(MPI_MAXLOC), *find_datatype(pair)));
    }
    EXPECT_EQ(bytes(MPI_2DOUBLE_PRECISION), 32);
    EXPECT_TRUE(find_kernel(*find_op(MPI_MAXLOC), *find_datatype(MPI_2DOUBLE_PRECISION)));
    EXPECT_EQ(find_datatype(MPI_INTEGER)->basic, find_datatype(MPI_INTEGER));
    EXPECT_EQ(handle_of(*find_datatype(MPI_INTEGER)), MPI_INTEGER);

    EXPECT_FALSE(set_fortran_sizes({.logical = 4, .integer = 2, .real = 4, .double_precision = 8}));
    EXPECT_EQ(bytes(MPI_LOGICAL), 8) << "nothing has changed";
    ASSERT_TRUE(set_fortran_sizes({}));
    EXPECT_EQ(word(MPI_INTEGER), word(MPI_INT));
    EXPECT_EQ(bytes(MPI_2INTEGER), 8);
}

TEST(Datatype, UnknownConstantsAreNoDatatypes) {
    for (uintptr_t value : {0UL, 1UL, 511UL, 512UL, 516UL, 529UL, 748UL, 4095UL})
        EXPECT_EQ(find_datatype(reinterpret_cast<MPI_Datatype>(value)), nullptr) << value;
}

// Section 5.1.6: the bounds of a struct are rounded up to its alignment.
TEST(Datatype, AStructIsPaddedLikeInC) {
    struct Record {
        double x;
        char tag;
    };

    Count lengths[] = {1, 1};
    Count places[] = {0, 8};
    Datatype *types[] = {&type_of(MPI_DOUBLE), &type_of(MPI_CHAR)};
    Owned record;
    ASSERT_FALSE(new_struct(2, lengths, places, types, record.type));
    EXPECT_EQ(record->size_bytes, 9);
    EXPECT_EQ(record->extent, static_cast<Count>(sizeof(Record)));
    EXPECT_EQ(record->true_extent, 9);
}

// Section 5.1.6: if the type map has lb_marker and ub_marker entries, they alone give the bounds.
TEST(Datatype, ExplicitBoundsOutweighTheOthers) {
    Owned resized;
    ASSERT_FALSE(new_resized(type_of(MPI_INT), -3, 9, resized.type));
    EXPECT_EQ(resized->lower_bound, -3);
    EXPECT_EQ(resized->extent, 9);
    EXPECT_EQ(resized->true_lower_bound, 0);
    Count lengths[] = {1, 1};
    Count places[] = {0, 100};
    Datatype *types[] = {resized.type, &type_of(MPI_DOUBLE)};
    Owned record;
    ASSERT_FALSE(new_struct(2, lengths, places, types, record.type));
    EXPECT_EQ(record->lower_bound, -3);
    EXPECT_EQ(record->extent, 9);
    EXPECT_EQ(record->true_extent, 108);
    Owned again; // a resized datatype resized: the old markers are gone
    ASSERT_FALSE(new_resized(*resized, 0, 4, again.type));
    EXPECT_EQ(again->extent, 4);
    EXPECT_TRUE(again->contiguous);
}

TEST(Datatype, NegativeStridesHaveANegativeLowerBound) {
    Owned vector;
    ASSERT_FALSE(new_vector(3, 2, -4, type_of(MPI_INT), vector.type));
    EXPECT_EQ(vector->lower_bound, -32);
    EXPECT_EQ(vector->extent, 40);
    EXPECT_EQ(vector->size_bytes, 24);
}

TEST(Datatype, EmptyDatatypesHaveNoDataAndNoExtent) {
    Owned none, nested;
    ASSERT_FALSE(new_vector(0, 5, 7, type_of(MPI_INT), none.type));
    ASSERT_FALSE(new_contiguous(9, *none, nested.type));
    EXPECT_EQ(nested->size_bytes, 0);
    EXPECT_EQ(nested->extent, 0);
    char buffer = 'x';
    EXPECT_EQ(copy_typed(&buffer, 1, type_of(MPI_CHAR), &buffer, 3, *nested), 0U);
}

TEST(Datatype, ArgumentErrorsNameTheElement) {
    Datatype *type;
    Datatype &old = type_of(MPI_INT);
    Count lengths[] = {1, 2, 3, -1};
    Count places[] = {0, 1, 2, 3};
    expect_error(new_indexed(4, lengths, places, old, type), MPI_ERR_COUNT,
                 "array_of_blocklengths[3] is -1; it must not be negative");
    Count sizes[] = {4, 4};
    Count parts[] = {2, 5};
    Count starts[] = {3, 0};
    expect_error(new_subarray(2, sizes, parts, starts, MPI_ORDER_C, old, type), MPI_ERR_ARG,
                 "array_of_starts[0] is 3; a part of 2 of 4 elements must start at 0 to 2");
    starts[0] = 0;
    expect_error(new_subarray(2, sizes, parts, starts, MPI_ORDER_C, old, type), MPI_ERR_ARG,
                 "array_of_subsizes[1] is 5, but array_of_sizes[1] is 4");
    expect_error(new_subarray(2, sizes, sizes, starts, 7, old, type), MPI_ERR_ARG,
                 "order is 7; it must be MPI_ORDER_C or MPI_ORDER_FORTRAN");
    expect_error(new_contiguous(std::numeric_limits<Count>::max(), old, type), MPI_ERR_COUNT,
                 "the size or extent of the new datatype does not fit in 63 bits");
}

// Section 5.1.4, the example: every element of the array belongs to exactly one process.
TEST(Datatype, DistributedArraysPartitionTheArray) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < 200; ++round) {
        Count sizes[] = {random.number(1, 9), random.number(1, 9)};
        int processes[] = {static_cast<int>(random.number(1, 3)),
                           static_cast<int>(random.number(1, 3))};
        int kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
        int arguments[] = {static_cast<int>(random.number(1, 4)), MPI_DISTRIBUTE_DFLT_DARG};
        int order = random.number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        Distribution distribution{sizes, kinds, arguments, processes};
        int size = processes[0] * processes[1];
        std::vector<int> owners(static_cast<size_t>(sizes[0] * sizes[1]), -1);
        for (int rank = 0; rank < size; ++rank) {
            Owned part;
            ASSERT_FALSE(new_distributed_array(size, rank, 2, distribution, order,
                                               type_of(MPI_BYTE), part.type));
            EXPECT_EQ(part->extent, sizes[0] * sizes[1]);
            for (Count place : expand(*part, 1)) {
                ASSERT_EQ(owners[static_cast<size_t>(place)], -1);
                owners[static_cast<size_t>(place)] = rank;
            }
        }
        for (Count i = 0; i < sizes[0]; ++i) {
            for (Count j = 0; j < sizes[1]; ++j) {
                Count block = (sizes[1] + processes[1] - 1) / processes[1];
                Count owner = i / arguments[0] % processes[0] * processes[1] + j / block;
                Count place = order == MPI_ORDER_C ? i * sizes[1] + j : j * sizes[0] + i;
                ASSERT_EQ(owners[static_cast<size_t>(place)], owner) << "round " << round;
            }
        }
    }
}

TEST(Datatype, BlocksOfAChosenSizeMustCoverTheArray) {
    const Count sizes[] = {10};
    const int kinds[] = {MPI_DISTRIBUTE_BLOCK}, processes[] = {3};
    for (int argument : {3, 4, 5, 10}) {
        const Distribution distribution{sizes, kinds, &argument, processes};
        if (argument == 3) { // 9 of 10 elements
            Datatype *none = nullptr;
            expect_error(
                new_distributed_array(3, 0, 1, distribution, MPI_ORDER_C, type_of(MPI_INT), none),
                MPI_ERR_ARG, "array_of_dargs[0] is 3: 3 blocks of it do not cover 10 elements");
            continue;
        }
        Count elements = 0;
        for (int rank = 0; rank < 3; ++rank) {
            Owned part;
            ASSERT_FALSE(new_distributed_array(3, rank, 1, distribution, MPI_ORDER_C,
                                               type_of(MPI_INT), part.type));
            const Count first = std::min<Count>(rank * argument, 10);
            const Count size = std::min<Count>(10 - first, argument);
            EXPECT_EQ(part->size_bytes, 4 * size) << argument << " " << rank;
            EXPECT_EQ(part->true_lower_bound, size ? 4 * first : 0) << argument << " " << rank;
            EXPECT_EQ(part->extent, 40);
            elements += size;
        }
        EXPECT_EQ(elements, 10);
    }
}

TEST(Datatype, ARankOutsideTheGridOfADistributedArrayIsNamed) {
    const Count sizes[] = {10};
    const int kinds[] = {MPI_DISTRIBUTE_CYCLIC}, processes[] = {3};
    const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG};
    const Distribution distribution{sizes, kinds, arguments, processes};
    for (int rank : {-1, 3}) {
        Datatype *none = nullptr;
        const std::string sentence = "rank is " + std::to_string(rank) + "; it must be 0 to 2";
        expect_error(
            new_distributed_array(3, rank, 1, distribution, MPI_ORDER_C, type_of(MPI_INT), none),
            MPI_ERR_RANK, sentence.c_str());
    }
}

// The padding of a struct follows the alignment of its members, whatever they are made of.
TEST(Datatype, DerivedDatatypesKeepTheAlignmentOfWhatTheyAreMadeOf) {
    Owned duplicate, vector, of_duplicates;
    ASSERT_FALSE(new_duplicate(type_of(MPI_DOUBLE), duplicate.type));
    ASSERT_FALSE(new_vector(2, 1, 1, type_of(MPI_DOUBLE), vector.type));
    ASSERT_FALSE(new_duplicate(*vector, of_duplicates.type));
    for (Datatype *member : {duplicate.type, vector.type, of_duplicates.type}) {
        const Count lengths[] = {1, 1}, places[] = {0, member->extent};
        Datatype *types[] = {member, &type_of(MPI_CHAR)};
        Owned padded;
        ASSERT_FALSE(new_struct(2, lengths, places, types, padded.type));
        EXPECT_EQ(padded->extent, member->extent + 8);
        EXPECT_EQ(padded->alignment, alignof(double));
    }
}

TEST(Datatype, ADatatypeOfOneKindOfBasicDatatypeKnowsIt) {
    Owned numbers, mixed;
    const Count lengths[] = {2, 3}, places[] = {0, 16};
    Datatype *same[] = {&type_of(MPI_INT), &type_of(MPI_INT)};
    Datatype *different[] = {&type_of(MPI_INT), &type_of(MPI_FLOAT)};
    ASSERT_FALSE(new_struct(2, lengths, places, same, numbers.type));
    ASSERT_FALSE(new_struct(2, lengths, places, different, mixed.type));
    EXPECT_EQ(numbers->basic, &type_of(MPI_INT));
    EXPECT_EQ(mixed->basic, nullptr);
    EXPECT_EQ(numbers->basic_elements, 5);
    EXPECT_EQ(mixed->basic_elements, 5);
    // Members without data change nothing, first or last.
    Owned none, before, after;
    ASSERT_FALSE(new_contiguous(0, type_of(MPI_FLOAT), none.type));
    Datatype *first[] = {none.type, &type_of(MPI_INT)}, *last[] = {&type_of(MPI_INT), none.type};
    ASSERT_FALSE(new_struct(2, lengths, places, first, before.type));
    ASSERT_FALSE(new_struct(2, lengths, places, last, after.type));
    EXPECT_EQ(before->basic, &type_of(MPI_INT));
    EXPECT_EQ(after->basic, &type_of(MPI_INT));
}

TEST(Datatype, ASubarrayOfAMatrixIsItsRowsAndColumns) {
    Count sizes[] = {4, 6}, parts[] = {2, 3}, starts[] = {1, 2};
    Owned rows, columns;
    ASSERT_FALSE(new_subarray(2, sizes, parts, starts, MPI_ORDER_C, type_of(MPI_BYTE), rows.type));
    ASSERT_FALSE(
        new_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, type_of(MPI_BYTE), columns.type));
    EXPECT_EQ(expand(*rows, 1), (std::vector<Count>{8, 9, 10, 14, 15, 16}));
    EXPECT_EQ(expand(*columns, 1), (std::vector<Count>{9, 10, 13, 14, 17, 18}));
    EXPECT_EQ(rows->lower_bound, 0);
    EXPECT_EQ(rows->extent, 24);
}

TEST(Datatype, ADatatypeOutlivesItsHandleWhileAnotherIsDerivedFromIt) {
    Datatype *vector;
    ASSERT_FALSE(new_vector(2, 1, 2, type_of(MPI_INT), vector));
    Owned pair;
    ASSERT_FALSE(new_contiguous(2, *vector, pair.type));
    release(*vector);
    EXPECT_EQ(pair->contents->types[0]->size_bytes, 8);
    int data[] = {1, 2, 3, 4, 5, 6};
    int packed[4];
    pack_bytes(data, 1, *pair, 0, sizeof packed, packed);
    EXPECT_EQ(packed[2], 4);
}

TEST(Datatype, ACopyHoldsWhatItIsMadeOf) {
    Owned inner, outer, copy;
    ASSERT_FALSE(new_vector(2, 1, 2, type_of(MPI_INT), inner.type));
    ASSERT_FALSE(new_contiguous(2, *inner, outer.type));
    EXPECT_EQ(inner->references.load(), 2);
    copy.type = new_copy(*outer);
    EXPECT_EQ(inner->references.load(), 3);
    EXPECT_EQ(copy->extent, outer->extent);
    release(*copy);
    copy.type = nullptr;
    EXPECT_EQ(inner->references.load(), 2);
}

TEST(Datatype, HugeRegularDatatypesCostNothing) {
    Owned vector, nested;
    ASSERT_FALSE(new_vector(1LL << 30, 3, 8, type_of(MPI_INT), vector.type));
    ASSERT_FALSE(new_hvector(1LL << 20, 1, 1LL << 36, *vector, nested.type));
    EXPECT_EQ(nested->size_bytes, 12LL << 50);
    EXPECT_EQ(nested->true_extent, (((1LL << 20) - 1) << 36) + (((1LL << 30) - 1) << 5) + 12);
}

// --- elements (section 5.1.11) ---

// Nobody reads where no data are, and no product may overflow there (found by libFuzzer).
TEST(Datatype, ThePlaceOfAnEmptyBlockMayBeAnywhere) {
    const Count far = std::numeric_limits<Count>::max() / 2;
    const Count lengths[] = {0, 1}, places[] = {far, 3};
    Owned indexed, none, empty, vector;
    ASSERT_FALSE(new_indexed(2, lengths, places, type_of(MPI_LONG_DOUBLE), indexed.type));
    EXPECT_EQ(indexed->true_lower_bound, 3 * static_cast<Count>(sizeof(long double)));
    EXPECT_EQ(block_at(*indexed, 0).copies, 0);
    EXPECT_EQ(block_at(*indexed, 1).displacement, indexed->true_lower_bound);
    ASSERT_FALSE(new_vector(0, far, far, type_of(MPI_LONG_DOUBLE), none.type));
    EXPECT_EQ(none->size_bytes, 0);
    ASSERT_FALSE(new_contiguous(0, type_of(MPI_INT), empty.type));
    ASSERT_FALSE(new_indexed_block(2, 5, places, *empty, vector.type));
    EXPECT_EQ(vector->size_bytes, 0);
}

// The distance of the last block does not fit in 128 bits, either.
TEST(Datatype, AStrideBeyondMeasureIsRefused) {
    const Count far = std::numeric_limits<Count>::max();
    Owned wide, none;
    ASSERT_FALSE(new_resized(type_of(MPI_CHAR), 0, far, wide.type));
    Datatype *result = nullptr;
    EXPECT_EQ(new_vector(far, 1, far, *wide, result).code(), MPI_ERR_COUNT);
    EXPECT_EQ(result, nullptr);
    ASSERT_FALSE(new_vector(1, 1, far, *wide, none.type)); // a single block has no stride
    EXPECT_EQ(none->size_bytes, 1);
}

TEST(Elements, PartsOfAStructCountTheirBasicElements) {
    Count lengths[] = {2, 3};
    Count places[] = {0, 8};
    Datatype *types[] = {&type_of(MPI_INT), &type_of(MPI_SHORT)};
    Owned record;
    ASSERT_FALSE(new_struct(2, lengths, places, types, record.type));
    EXPECT_EQ(record->basic_elements, 5);
    EXPECT_EQ(count_basic_elements(*record, 28), 10);
    EXPECT_EQ(count_basic_elements(*record, 14 + 4), 6);
    EXPECT_EQ(count_basic_elements(*record, 14 + 8 + 2), 8);
    EXPECT_EQ(count_basic_elements(*record, 14 + 3), MPI_UNDEFINED);
    EXPECT_EQ(count_elements(*record, 28), 2);
    EXPECT_EQ(count_elements(*record, 18), MPI_UNDEFINED);
    EXPECT_EQ(bytes_of_basic_elements(*record, 8), 14 + 8 + 2);
}

TEST(Elements, APairIsTwoBasicElements) {
    EXPECT_EQ(count_basic_elements(type_of(MPI_DOUBLE_INT), 12 + 8), 3);
    EXPECT_EQ(count_basic_elements(type_of(MPI_2INT), 4), 1);
    EXPECT_EQ(count_elements(type_of(MPI_DOUBLE_INT), 24), 2);
}

TEST(Elements, BytesAndBasicElementsAreInverse) {
    RandomDatatypes random(test_seed() + 6);
    for (int round = 0; round < 2000; ++round) {
        Owned owned;
        owned.type = random.make(5);
        Count count = random.number(0, 3 * owned->basic_elements);
        Count size_bytes = bytes_of_basic_elements(*owned, count);
        ASSERT_EQ(count_basic_elements(*owned, size_bytes), count) << "round " << round;
    }
}

TEST(Elements, DatatypesWithoutDataHoldNothing) {
    Owned none;
    ASSERT_FALSE(new_contiguous(0, type_of(MPI_INT), none.type));
    EXPECT_EQ(count_elements(*none, 0), 0);
    EXPECT_EQ(count_basic_elements(*none, 4), MPI_UNDEFINED);
}

TEST(Status, HoldsABigByteCountBesideTheFlag) {
    MPI_Status status;
    std::memset(static_cast<void *>(&status), 0xff, sizeof status); // whatever is on the stack
    set_status_empty(status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(status_bytes(status), 0);
    EXPECT_FALSE(status_cancelled(status));
    set_status_bytes(status, 5'000'000'000);
    set_status_cancelled(status, true);
    EXPECT_EQ(status_bytes(status), 5'000'000'000);
    EXPECT_TRUE(status_cancelled(status));
}

// --- external32 (section 14.5.2) ---

TEST(External32, NumbersAreBigEndian) {
    int value = 0x01020304;
    unsigned char packed[16];
    pack_external(&value, 1, type_of(MPI_INT), packed);
    EXPECT_EQ(packed[0], 1);
    EXPECT_EQ(packed[3], 4);
    double one = 1;
    pack_external(&one, 1, type_of(MPI_DOUBLE), packed);
    EXPECT_EQ(packed[0], 0x3f);
    EXPECT_EQ(packed[1], 0xf0);
    long negative = -2; // four bytes in external32
    EXPECT_EQ(external_bytes(type_of(MPI_LONG), 3), 12);
    pack_external(&negative, 1, type_of(MPI_LONG), packed);
    EXPECT_EQ(packed[0], 0xff);
    EXPECT_EQ(packed[3], 0xfe);
    long back = 0;
    unpack_external(packed, &back, 1, type_of(MPI_LONG));
    EXPECT_EQ(back, -2);
    wchar_t wide = 0xff41;
    EXPECT_EQ(external_bytes(type_of(MPI_WCHAR), 1), 2);
    pack_external(&wide, 1, type_of(MPI_WCHAR), packed);
    wide = 0;
    unpack_external(packed, &wide, 1, type_of(MPI_WCHAR));
    EXPECT_EQ(wide, 0xff41);
}

TEST(External32, LongDoublesAreBinary128) {
    long double value = -1.5L;
    unsigned char packed[16];
    pack_external(&value, 1, type_of(MPI_LONG_DOUBLE), packed);
    const unsigned char expected[16] = {0xbf, 0xff, 0x80};
    EXPECT_EQ(std::string(packed, packed + 16), std::string(expected, expected + 16));
    long double third = 1.0L / 3;
    long double back = 0;
    pack_external(&third, 1, type_of(MPI_LONG_DOUBLE), packed);
    unpack_external(packed, &back, 1, type_of(MPI_LONG_DOUBLE));
    EXPECT_EQ(back, third);
}

TEST(Predefined, IsFoundByItsConstantAndByNoOther) {
    for (uintptr_t constant = 0; constant < handle_constants_end; ++constant) {
        const uintptr_t index = constant - first_predefined_datatype;
        Datatype *type =
            index < predefined_datatype_count ? &predefined_datatypes.types[index] : nullptr;
        EXPECT_EQ(find_datatype(reinterpret_cast<MPI_Datatype>(constant)),
                  type && type->predefined ? type : nullptr)
            << constant;
    }
}

TEST(External32, EveryDatatypeComesBackAsItWas) {
    for (Datatype &type : predefined_datatypes.types) {
        if (!type.predefined)
            continue;
        Owned vector;
        ASSERT_FALSE(new_vector(3, 2, 3, type, vector.type));
        std::vector<char> data(static_cast<size_t>(vector->true_extent) + 64);
        std::vector<char> back(data.size());
        // Small numbers in every number's lowest byte survive the narrower formats.
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = i % 16 == 0 ? static_cast<char>(i % 100) : 0;
        std::vector<char> packed(static_cast<size_t>(external_bytes(*vector, 1)));
        pack_external(data.data(), 1, *vector, packed.data());
        unpack_external(packed.data(), back.data(), 1, *vector);
        std::vector<char> first(data_bytes(1, *vector)), second(first.size());
        pack_bytes(data.data(), 1, *vector, 0, first.size(), first.data());
        pack_bytes(back.data(), 1, *vector, 0, second.size(), second.data());
        EXPECT_EQ(first, second) << predefined_name(type);
    }
}

namespace {

// Appends external32 of one element at `data`: that of its basic elements, one after the other.
void append_external(const char *data, const Datatype &type, std::vector<char> &packed) {
    if (block_count(type) == 0 && type.predefined) {
        const size_t begin = packed.size();
        packed.resize(begin + static_cast<size_t>(external_bytes(type, 1)));
        pack_external(data, 1, type, packed.data() + begin);
    }
    for (Count b = 0; b < block_count(type); ++b) {
        const TypeBlock block = block_at(type, b);
        for (Count i = 0; i < block.copies; ++i)
            append_external(data + block.displacement + i * block.type->extent, *block.type,
                            packed);
    }
}

} // namespace

TEST(External32, ARandomDatatypeIsItsBasicElementsOneAfterTheOther) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < 300; ++round) {
        Owned type;
        type.type = random.make(4);
        const Count count = random.number(0, 3);
        const Count reach = count * std::abs(type->extent) + type->true_extent +
                            std::abs(type->true_lower_bound) + 1;
        std::vector<char> data(static_cast<size_t>(2 * reach));
        // Small numbers of every width, for conversions that round or saturate alike anyway.
        for (char &byte : data)
            byte = static_cast<char>(random.number(0, 15) == 0 ? random.number(1, 60) : 0);
        std::vector<char> expected;
        for (Count i = 0; i < count; ++i)
            append_external(data.data() + reach + i * type->extent, *type, expected);
        std::vector<char> packed(static_cast<size_t>(external_bytes(*type, count)));
        pack_external(data.data() + reach, count, *type, packed.data());
        ASSERT_EQ(packed, expected) << "round " << round;
    }
}

// --- unnamed predefined datatypes ---

TEST(UnnamedDatatypes, TheSameArgumentsGiveTheSameDatatype) {
    Datatype *a, *b, *c;
    ASSERT_FALSE(find_f90_real(12, MPI_UNDEFINED, a));
    ASSERT_FALSE(find_f90_real(12, MPI_UNDEFINED, b));
    ASSERT_FALSE(find_f90_real(5, 30, c));
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    EXPECT_EQ(a->size_bytes, 8);
    EXPECT_EQ(c->size_bytes, 4);
    EXPECT_TRUE(a->predefined && a->committed);
    EXPECT_EQ(a->contents->combiner, MPI_COMBINER_F90_REAL);
    expect_error(find_f90_real(34, 5, a), MPI_ERR_ARG,
                 "no REAL has p = 34 decimal digits and range r = 5");
    ASSERT_FALSE(find_f90_integer(18, a));
    EXPECT_EQ(a->size_bytes, 8);
}

TEST(Pairs, AreFoundByTheirParts) {
    EXPECT_EQ(find_pair(type_of(MPI_DOUBLE), type_of(MPI_INT)), &type_of(MPI_DOUBLE_INT));
    EXPECT_EQ(find_pair(type_of(MPI_REAL), type_of(MPI_REAL)), &type_of(MPI_2REAL));
    EXPECT_EQ(find_pair(type_of(MPI_DOUBLE), type_of(MPI_UINT64_T)), nullptr);
    EXPECT_EQ(find_pair(type_of(MPI_BYTE), type_of(MPI_INT)), nullptr);
}
