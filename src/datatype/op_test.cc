// Tests every predefined operation on every predefined datatype (MPI 5.0 section 6.9.2), and the
// user's operations.
#include "datatype/constructors.h"
#include "datatype/op.h"
#include "datatype/op_kernels.h"
#include "datatype/predefined.h"
#include "datatype/representation.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace thrum;

namespace {

const MPI_Op all_ops[] = {MPI_SUM,  MPI_MIN,  MPI_MAX, MPI_PROD, MPI_BAND,   MPI_BOR,
                          MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};
const MPI_Op bit_ops[] = {MPI_BAND, MPI_BOR, MPI_BXOR};
const MPI_Op logical_ops[] = {MPI_LAND, MPI_LOR, MPI_LXOR};

Datatype &type_of(MPI_Datatype handle) {
    return *find_datatype(handle);
}

Op &op_of(MPI_Op handle) {
    return *find_op(handle);
}

void run(MPI_Op op, MPI_Datatype type, const void *in, void *inout, Count count) {
    Error error = check_op(op_of(op), type_of(type));
    ASSERT_FALSE(error) << error_detail(MPI_ERR_OP);
    reduce_local(op_of(op), in, inout, count, type_of(type), type);
}

// Fills memory with bits that are no special values in any representation.
void fill(std::vector<char> &memory, unsigned seed) {
    std::minstd_rand random(seed);
    for (char &byte : memory)
        byte = static_cast<char>(random() % 64 + 1);
}

// An odd number of elements, so that a vector loop's remainder is run, too.
constexpr int length = 37;

template <class T>
T expected(MPI_Op op, T a, T b) {
    if (op == MPI_SUM)
        return static_cast<T>(a + b);
    if (op == MPI_PROD)
        return static_cast<T>(a * b);
    if (op == MPI_MIN)
        return b < a ? b : a;
    return b < a ? a : b;
}

template <class T>
void check_arithmetic(MPI_Datatype type, MPI_Op op) {
    ASSERT_EQ(static_cast<Count>(sizeof(T)), type_of(type).size_bytes);
    std::vector<T> in, inout, result;
    for (int i = 0; i < length; ++i) {
        in.push_back(static_cast<T>(i % 7 + 1));
        inout.push_back(static_cast<T>(i % 5 + 2));
        result.push_back(expected<T>(op, in.back(), inout.back()));
    }
    run(op, type, in.data(), inout.data(), length);
    for (int i = 0; i < length; ++i)
        ASSERT_TRUE(inout[i] == result[i]) << predefined_name(type_of(type)) << " element " << i;
}

template <class T>
void check_ordered(std::initializer_list<MPI_Datatype> types) {
    for (MPI_Datatype type : types)
        for (MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX})
            check_arithmetic<T>(type, op);
}

template <class T>
void check_bits(std::initializer_list<MPI_Datatype> types) {
    for (MPI_Datatype type : types) {
        for (MPI_Op op : bit_ops) {
            std::vector<T> in(length), inout(length), result(length);
            for (int i = 0; i < length; ++i) {
                in[i] = static_cast<T>(i * 37 + 5);
                inout[i] = static_cast<T>(i * 11 + 3);
                result[i] = static_cast<T>(op == MPI_BAND  ? in[i] & inout[i]
                                           : op == MPI_BOR ? in[i] | inout[i]
                                                           : in[i] ^ inout[i]);
            }
            run(op, type, in.data(), inout.data(), length);
            EXPECT_TRUE(inout == result) << predefined_name(type_of(type));
        }
    }
}

template <class T>
void check_logical(std::initializer_list<MPI_Datatype> types) {
    for (MPI_Datatype type : types) {
        for (MPI_Op op : logical_ops) {
            T in[] = {0, 0, 1, 1};
            T inout[] = {0, 1, 0, 1};
            run(op, type, in, inout, 4);
            int results = static_cast<int>(inout[0]) * 8 + static_cast<int>(inout[1]) * 4 +
                          static_cast<int>(inout[2]) * 2 + static_cast<int>(inout[3]);
            EXPECT_EQ(results, op == MPI_LAND  ? 1
                               : op == MPI_LOR ? 7
                                               : 6)
                << predefined_name(type_of(type));
        }
    }
}

template <class Real>
void check_complex(std::initializer_list<MPI_Datatype> types) {
    for (MPI_Datatype type : types) {
        ComplexOf<Real> in[] = {{1, 2}, {3, -1}};
        ComplexOf<Real> sum[] = {{5, 6}, {7, 8}};
        ComplexOf<Real> product[] = {{5, 6}, {7, 8}};
        run(MPI_SUM, type, in, sum, 2);
        run(MPI_PROD, type, in, product, 2);
        EXPECT_TRUE(sum[0].real == 6 && sum[0].imaginary == 8 && sum[1].imaginary == 7);
        EXPECT_TRUE(product[0].real == -7 && product[0].imaginary == 16);
        EXPECT_TRUE(product[1].real == 29 && product[1].imaginary == 17);
    }
}

template <class Value, class Index>
struct ValueIndex {
    Value value;
    Index index;
};

template <class Value, class Index>
void check_pairs(MPI_Datatype type) {
    using P = ValueIndex<Value, Index>;
    ASSERT_EQ(type_of(type).extent, static_cast<Count>(sizeof(P)));
    const P in[] = {{3, 5}, {4, 1}, {9, 2}, {9, 7}};
    P least[] = {{4, 1}, {3, 5}, {9, 3}, {9, 3}};
    P greatest[] = {{4, 1}, {3, 5}, {9, 3}, {9, 3}};
    run(MPI_MINLOC, type, in, least, 4);
    run(MPI_MAXLOC, type, in, greatest, 4);
    const P least_expected[] = {{3, 5}, {3, 5}, {9, 2}, {9, 3}};
    const P greatest_expected[] = {{4, 1}, {4, 1}, {9, 2}, {9, 3}};
    for (int i = 0; i < 4; ++i) {
        EXPECT_TRUE(least[i].value == least_expected[i].value) << i;
        EXPECT_TRUE(least[i].index == least_expected[i].index) << i;
        EXPECT_TRUE(greatest[i].value == greatest_expected[i].value) << i;
        EXPECT_TRUE(greatest[i].index == greatest_expected[i].index) << i;
    }
}

} // namespace

TEST(Op, ArithmeticIsRightOnEveryIntegerAndFloatingPointDatatype) {
    check_ordered<int8_t>({MPI_SIGNED_CHAR, MPI_INT8_T, MPI_INTEGER1});
    check_ordered<int16_t>({MPI_SHORT, MPI_INT16_T, MPI_INTEGER2});
    check_ordered<int32_t>({MPI_INT, MPI_INT32_T, MPI_INTEGER, MPI_INTEGER4});
    check_ordered<int64_t>(
        {MPI_LONG, MPI_LONG_LONG, MPI_INT64_T, MPI_INTEGER8, MPI_AINT, MPI_COUNT, MPI_OFFSET});
    check_ordered<Int128>({MPI_INTEGER16});
    check_ordered<uint8_t>({MPI_UNSIGNED_CHAR, MPI_UINT8_T});
    check_ordered<uint16_t>({MPI_UNSIGNED_SHORT, MPI_UINT16_T});
    check_ordered<uint32_t>({MPI_UNSIGNED, MPI_UINT32_T});
    check_ordered<uint64_t>({MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT64_T});
    check_ordered<float>({MPI_FLOAT, MPI_REAL, MPI_REAL4});
    check_ordered<double>({MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8});
    check_ordered<long double>({MPI_LONG_DOUBLE});
    check_ordered<Float128>({MPI_REAL16});
}

TEST(Op, ComplexSumsAndProductsAreRight) {
    check_complex<float>(
        {MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_COMPLEX, MPI_COMPLEX8});
    check_complex<double>(
        {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16});
    check_complex<long double>({MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX});
    check_complex<Float128>({MPI_COMPLEX32});
}

TEST(Op, BitwiseOperationsAreRightOnIntegersAndBytes) {
    check_bits<uint8_t>({MPI_BYTE, MPI_UINT8_T, MPI_SIGNED_CHAR, MPI_INTEGER1});
    check_bits<uint16_t>({MPI_SHORT, MPI_UINT16_T});
    check_bits<uint32_t>({MPI_INT, MPI_UNSIGNED, MPI_INTEGER});
    check_bits<uint64_t>({MPI_LONG, MPI_UINT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT});
    check_bits<Int128>({MPI_INTEGER16});
}

TEST(Op, LogicalOperationsGiveZeroOrOne) {
    check_logical<uint8_t>({MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL1, MPI_UINT8_T});
    check_logical<uint16_t>({MPI_LOGICAL2, MPI_SHORT});
    check_logical<uint32_t>({MPI_LOGICAL, MPI_LOGICAL4, MPI_INT});
    check_logical<uint64_t>({MPI_LOGICAL8, MPI_LONG});
    check_logical<Int128>({MPI_LOGICAL16});
    int in = 12, inout = 48; // any value but zero is true
    run(MPI_LAND, MPI_INT, &in, &inout, 1);
    EXPECT_EQ(inout, 1);
}

TEST(Op, MinlocAndMaxlocKeepTheLeastIndexOfEqualValues) {
    check_pairs<float, int>(MPI_FLOAT_INT);
    check_pairs<double, int>(MPI_DOUBLE_INT);
    check_pairs<long, int>(MPI_LONG_INT);
    check_pairs<int, int>(MPI_2INT);
    check_pairs<short, int>(MPI_SHORT_INT);
    check_pairs<long double, int>(MPI_LONG_DOUBLE_INT);
    check_pairs<float, float>(MPI_2REAL);
    check_pairs<double, double>(MPI_2DOUBLE_PRECISION);
    check_pairs<int, int>(MPI_2INTEGER);
}

TEST(Op, OnlyPairsOfARealNumberAndAnIndexHaveAPairKernel) {
    for (OpKind op : {OpKind::MinLoc, OpKind::MaxLoc}) {
        EXPECT_NE(find_pair_kernel(op, BasicKind::Float128, BasicKind::Int32), nullptr);
        EXPECT_EQ(find_pair_kernel(op, BasicKind::ComplexFloat, BasicKind::Int32), nullptr);
        EXPECT_EQ(find_pair_kernel(op, BasicKind::Int8, BasicKind::ComplexFloat), nullptr);
        EXPECT_EQ(find_pair_kernel(op, BasicKind::Pair, BasicKind::Pair), nullptr);
    }
}

TEST(Op, SignedSumsWrapAround) {
    int in = 2'147'483'647, inout = 1;
    run(MPI_SUM, MPI_INT, &in, &inout, 1);
    EXPECT_EQ(inout, -2'147'483'647 - 1);
    uint16_t a = 65535, b = 65535;
    run(MPI_PROD, MPI_UINT16_T, &a, &b, 1);
    EXPECT_EQ(b, 1);
}

TEST(Op, AnOperationIsRefusedWhereTheStandardDoesNotDefineIt) {
    struct Case {
        MPI_Op op;
        MPI_Datatype type;
        const char *sentence;
    };

    const Case cases[] = {
        {MPI_SUM, MPI_BYTE, "MPI_SUM is not defined on MPI_BYTE"},
        {MPI_MAX, MPI_C_DOUBLE_COMPLEX, "MPI_MAX is not defined on MPI_C_DOUBLE_COMPLEX"},
        {MPI_BAND, MPI_DOUBLE, "MPI_BAND is not defined on MPI_DOUBLE"},
        {MPI_LAND, MPI_FLOAT, "MPI_LAND is not defined on MPI_FLOAT"},
        {MPI_MINLOC, MPI_INT, "MPI_MINLOC is not defined on MPI_INT"},
        {MPI_SUM, MPI_2INT, "MPI_SUM is not defined on MPI_2INT"},
        {MPI_SUM, MPI_CHAR, "MPI_SUM is not defined on MPI_CHAR"},
        {MPI_SUM, MPI_REAL2, "MPI_SUM is not defined on MPI_REAL2"},
        {MPI_SUM, MPI_PACKED, "MPI_SUM is not defined on MPI_PACKED"},
        {MPI_REPLACE, MPI_INT, "MPI_REPLACE can be used only in accumulates"},
    };
    for (const Case &c : cases) {
        Error error = check_op(op_of(c.op), type_of(c.type));
        EXPECT_EQ(error.code(), MPI_ERR_OP);
        EXPECT_STREQ(error_detail(MPI_ERR_OP), c.sentence);
    }
    Datatype *vector;
    ASSERT_FALSE(new_vector(2, 1, 2, type_of(MPI_INT), vector));
    EXPECT_EQ(check_op(op_of(MPI_SUM), *vector).code(), MPI_ERR_OP);
    EXPECT_STREQ(error_detail(MPI_ERR_OP), "MPI_SUM is not defined on a vector datatype");
    release(*vector);
}

// Tests uses that other MPIs accept beyond the standard: only a warning.
TEST(Op, LogicalOperationsOnAddressesAndSumsOfCharactersAreWidelyAccepted) {
    for (MPI_Op op : {MPI_LAND, MPI_LOR, MPI_LXOR})
        EXPECT_TRUE(is_widely_accepted(op_of(op), type_of(MPI_AINT)));
    for (MPI_Op op : {MPI_SUM, MPI_BOR, MPI_MAX, MPI_MINLOC})
        EXPECT_FALSE(is_widely_accepted(op_of(op), type_of(MPI_AINT)));
    EXPECT_TRUE(is_widely_accepted(op_of(MPI_SUM), type_of(MPI_CHAR)));
    EXPECT_TRUE(is_widely_accepted(op_of(MPI_MAX), type_of(MPI_CHAR)));
    for (MPI_Op op : {MPI_MINLOC, MPI_MAXLOC})
        EXPECT_FALSE(is_widely_accepted(op_of(op), type_of(MPI_CHAR)));
    EXPECT_FALSE(is_widely_accepted(op_of(MPI_LAND), type_of(MPI_DOUBLE)));
    Op own;
    EXPECT_FALSE(is_widely_accepted(own, type_of(MPI_CHAR)));
}

TEST(Op, IsFoundByItsConstantAndByNoOther) {
    int found = 0;
    for (uintptr_t constant = 0; constant < handle_constants_end; ++constant)
        if (const Op *op = find_op(reinterpret_cast<MPI_Op>(constant))) {
            ++found;
            EXPECT_TRUE(op->predefined) << constant;
        }
    EXPECT_EQ(found, 14); // those of mpi.h
    EXPECT_EQ(find_op(MPI_OP_NULL), nullptr);
}

TEST(Op, WhateverIsDefinedHasAKernel) {
    int defined = 0;
    for (Datatype &type : predefined_datatypes.types) {
        for (MPI_Op op : all_ops) {
            if (!type.predefined || check_op(op_of(op), type))
                continue;
            ++defined;
            alignas(32) char in[64] = {};
            alignas(32) char inout[64] = {};
            reduce_local(op_of(op), in, inout, 1, type, handle_of(type));
        }
    }
    // Sections 6.9.2 to 6.9.4: 18 C and 6 Fortran integers, 8 reals, 3 multi-language types with 4
    // operations each, 11 complex types with 2, logical ones on C integers and 8 logical types with
    // 3, bitwise ones on all integers and bytes with 3, and 9 pairs with 2.
    int c_integers = 0, fortran_integers = 0, reals = 0, multi = 0, complexes = 0, logicals = 0;
    for (Datatype &type : predefined_datatypes.types) {
        bool arithmetic = type.kind != BasicKind::Opaque;
        c_integers += type.group == BasicGroup::CInteger;
        fortran_integers += type.group == BasicGroup::FortranInteger;
        reals += type.group == BasicGroup::FloatingPoint && arithmetic;
        multi += type.group == BasicGroup::MultiLanguage;
        complexes += type.group == BasicGroup::Complex && arithmetic;
        logicals += type.group == BasicGroup::Logical;
    }
    EXPECT_EQ(c_integers, 18);
    EXPECT_EQ(fortran_integers, 6);
    EXPECT_EQ(reals, 8);
    EXPECT_EQ(multi, 3);
    EXPECT_EQ(complexes, 11);
    EXPECT_EQ(logicals, 8);
    EXPECT_EQ(defined, 4 * (18 + 6 + 8 + 3) + 2 * 11 + 3 * (18 + 8) + 3 * (18 + 6 + 3 + 1) + 2 * 9);
}

static int calls;

static void subtract(void *in, void *inout, int *length_pointer, MPI_Datatype *type) {
    ++calls;
    EXPECT_EQ(*type, MPI_INT);
    for (int i = 0; i < *length_pointer; ++i)
        static_cast<int *>(inout)[i] = static_cast<int *>(in)[i] - static_cast<int *>(inout)[i];
}

static void subtract_large(void *in, void *inout, MPI_Count *length_pointer, MPI_Datatype *) {
    for (MPI_Count i = 0; i < *length_pointer; ++i)
        static_cast<int *>(inout)[i] = static_cast<int *>(in)[i] - static_cast<int *>(inout)[i];
}

TEST(Op, AUsersFunctionIsCalledWithTheIncomingValueFirst) {
    for (bool large : {false, true}) {
        Op op;
        op.user = {large ? reinterpret_cast<void (*)()>(subtract_large)
                         : reinterpret_cast<void (*)()>(subtract),
                   large};
        int in[] = {10, 20}, inout[] = {1, 2};
        EXPECT_FALSE(check_op(op, type_of(MPI_INT)));
        reduce_local(op, in, inout, 2, type_of(MPI_INT), MPI_INT);
        EXPECT_EQ(inout[0], 9);
        EXPECT_EQ(inout[1], 18);
    }
    EXPECT_EQ(calls, 1);
}

struct Piece {
    const char *in, *inout;
    int length;
    bool operator==(const Piece &) const = default;
};

static std::vector<Piece> pieces_seen;

static void note_piece(void *in, void *inout, int *length_pointer, MPI_Datatype *) {
    pieces_seen.push_back(
        {static_cast<const char *>(in), static_cast<const char *>(inout), *length_pointer});
}

TEST(Op, ACountBeyondIntReachesAnIntFunctionInPieces) {
    Op op;
    op.user = {reinterpret_cast<void (*)()>(note_piece), false};
    // The function does not look at the data: there need not be any.
    auto *in = reinterpret_cast<char *>(uintptr_t{1} << 40);
    auto *inout = reinterpret_cast<char *>(uintptr_t{1} << 41);
    reduce_local(op, in, inout, 5'000'000'000, type_of(MPI_DOUBLE), MPI_DOUBLE);
    constexpr ptrdiff_t step = ptrdiff_t{8} * 2147483647;
    EXPECT_EQ(pieces_seen, (std::vector<Piece>{{in, inout, 2147483647},
                                               {in + step, inout + step, 2147483647},
                                               {in + 2 * step, inout + 2 * step, 705032706}}));
}

TEST(Op, ReplaceTakesTheIncomingValueAndNoOpKeepsTheOld) {
    double in = 3, inout = 4;
    reduce_local(op_of(MPI_NO_OP), &in, &inout, 1, type_of(MPI_DOUBLE), MPI_DOUBLE);
    EXPECT_EQ(inout, 4);
    reduce_local(op_of(MPI_REPLACE), &in, &inout, 1, type_of(MPI_DOUBLE), MPI_DOUBLE);
    EXPECT_EQ(inout, 3);
}

TEST(Op, KernelsOfAllProcessorsGiveTheSameBits) {
    if (!__builtin_cpu_supports("avx2"))
        GTEST_SKIP() << "this processor has no AVX2";
    EXPECT_EQ(std::memcmp(&kernel_table, &avx2_kernels, sizeof kernel_table), 0);
    constexpr Count elements = 67; // several vectors and a rest
    std::vector<char> in(elements * 32), plain(in.size()), wide(in.size());
    for (int op = 0; op < KernelTable::operations; ++op)
        for (int kind = 0; kind < KernelTable::kinds; ++kind) {
            OpKernel narrow = plain_kernels.kernels[op][kind];
            ASSERT_EQ(narrow == nullptr, avx2_kernels.kernels[op][kind] == nullptr);
            if (!narrow)
                continue;
            fill(in, 1);
            fill(plain, 2);
            wide = plain;
            narrow(in.data(), plain.data(), elements);
            avx2_kernels.kernels[op][kind](in.data(), wide.data(), elements);
            EXPECT_EQ(plain, wide) << "operation " << op << ", representation " << kind;
        }
}

TEST(Op, UnknownHandlesAreNotFound) {
    EXPECT_EQ(find_op(MPI_OP_NULL), nullptr);
    EXPECT_EQ(find_op(reinterpret_cast<MPI_Op>(37)), nullptr);
    EXPECT_EQ(find_op(nullptr), nullptr);
    EXPECT_TRUE(op_of(MPI_SUM).commutative);
}
