// Tests the entry points of datatypes: contents (MPI 5.0 section 5.1.13), packing (5.2), lifetime.
#include "comm/testing/processes.h"
#include "datatype/status.h"
#include "entry/calls.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace thrum;

namespace {

Datatype &type_of(MPI_Datatype handle) {
    return *find_datatype(handle);
}

void ok(Error error) {
    ASSERT_FALSE(error) << error_detail(error.code());
}

struct Sizes {
    int integers = -1, addresses = -1, datatypes = -1, combiner = -1;
};

Sizes envelope(MPI_Datatype handle) {
    Sizes s;
    ok(mpi::type_get_envelope(type_of(handle), &s.integers, &s.addresses, &s.datatypes,
                              &s.combiner));
    return s;
}

} // namespace

TEST(DatatypeCalls, ContentsAreTheConstructorsArguments) {
    // The handles are recorded with the calling rank.
    run_processes(1, [](Process &) {
        int lengths[] = {2, 1};
        MPI_Aint places[] = {0, 16};
        MPI_Datatype vector, types[2] = {MPI_INT}, record;
        ok(mpi::type_vector(3, 2, -4, type_of(MPI_DOUBLE), &vector));
        types[1] = vector;
        ok(mpi::type_create_struct(2, lengths, places, types, &record));
        Sizes s = envelope(record);
        EXPECT_EQ(s.combiner, MPI_COMBINER_STRUCT);
        ASSERT_EQ(s.integers, 3);
        ASSERT_EQ(s.addresses, 2);
        ASSERT_EQ(s.datatypes, 2);
        int integers[3];
        MPI_Aint addresses[2];
        MPI_Datatype inner[2];
        ok(mpi::type_get_contents(type_of(record), 3, 2, 2, integers, addresses, inner));
        EXPECT_EQ(integers[0], 2);
        EXPECT_EQ(integers[1], 2);
        EXPECT_EQ(integers[2], 1);
        EXPECT_EQ(addresses[1], 16);
        EXPECT_EQ(inner[0], MPI_INT);
        s = envelope(inner[1]); // a datatype of its own, equal to `vector`
        EXPECT_EQ(s.combiner, MPI_COMBINER_VECTOR);
        ok(mpi::type_get_contents(type_of(inner[1]), 3, 0, 1, integers, nullptr, inner));
        EXPECT_EQ(integers[2], -4);
        EXPECT_EQ(inner[0], MPI_DOUBLE);
        ok(mpi::type_free(&inner[1]));
        ok(mpi::type_free(&vector));
        ok(mpi::type_free(&record));
        EXPECT_EQ(record, MPI_DATATYPE_NULL);
    });
}

TEST(DatatypeCalls, LargeArgumentsAreLargeCountsOfTheEnvelope) {
    MPI_Datatype huge;
    ok(mpi::type_vector(1LL << 40, 1, 2, type_of(MPI_BYTE), &huge));
    MPI_Count integers, addresses, large, datatypes;
    int combiner;
    ok(mpi::type_get_envelope_c(type_of(huge), &integers, &addresses, &large, &datatypes,
                                &combiner));
    EXPECT_EQ(integers, 0);
    EXPECT_EQ(large, 3);
    MPI_Count counts[3];
    MPI_Datatype old;
    ok(mpi::type_get_contents_c(type_of(huge), 0, 0, 3, 1, nullptr, nullptr, counts, &old));
    EXPECT_EQ(counts[0], 1LL << 40);
    int small;
    EXPECT_EQ(mpi::type_get_envelope(type_of(huge), &small, &small, &small, &combiner).code(),
              MPI_ERR_TYPE);
    int size;
    ok(mpi::type_size(type_of(huge), &size));
    EXPECT_EQ(size, MPI_UNDEFINED);
    MPI_Count true_size;
    ok(mpi::type_size(type_of(huge), &true_size));
    EXPECT_EQ(true_size, 1LL << 40);
    ok(mpi::type_free(&huge));
}

TEST(DatatypeCalls, NamedDatatypesHaveNoContents) {
    EXPECT_EQ(envelope(MPI_DOUBLE_INT).combiner, MPI_COMBINER_NAMED);
    EXPECT_EQ(mpi::type_get_contents(type_of(MPI_INT), 9, 9, 9, nullptr, nullptr, nullptr).code(),
              MPI_ERR_TYPE);
    EXPECT_STREQ(error_detail(MPI_ERR_TYPE), "datatype is MPI_INT, which has no contents");
}

TEST(DatatypeCalls, PredefinedDatatypesCannotBeFreed) {
    MPI_Datatype handle = MPI_INT;
    EXPECT_EQ(mpi::type_free(&handle).code(), MPI_ERR_TYPE);
    EXPECT_STREQ(error_detail(MPI_ERR_TYPE),
                 "datatype is MPI_INT, which is predefined and cannot be freed");
    handle = MPI_DATATYPE_NULL;
    EXPECT_EQ(mpi::type_commit(&handle).code(), MPI_ERR_TYPE);
    EXPECT_STREQ(error_detail(MPI_ERR_TYPE), "datatype is MPI_DATATYPE_NULL");
}

TEST(DatatypeCalls, AStructsBadTypeIsNamedByItsIndex) {
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_DATATYPE_NULL}, record;
    EXPECT_EQ(mpi::type_create_struct(2, lengths, places, types, &record).code(), MPI_ERR_TYPE);
    EXPECT_STREQ(error_detail(MPI_ERR_TYPE), "array_of_types[1] is MPI_DATATYPE_NULL");
}

TEST(DatatypeCalls, ADuplicateIsCommittedIfTheOriginalIs) {
    MPI_Datatype vector, before, after;
    ok(mpi::type_vector(2, 1, 2, type_of(MPI_INT), &vector));
    ok(mpi::type_dup(type_of(vector), &before));
    ok(mpi::type_commit(&vector));
    ok(mpi::type_dup(type_of(vector), &after));
    EXPECT_FALSE(type_of(before).committed);
    EXPECT_TRUE(type_of(after).committed);
    for (MPI_Datatype *handle : {&vector, &before, &after})
        ok(mpi::type_free(handle));
}

TEST(DatatypeCalls, External32PacksMoveThePosition) {
    int data[] = {1, 2, 3};
    char packed[12];
    MPI_Aint position = 0;
    ok(mpi::pack_external("external32", data, 2, type_of(MPI_INT), packed, 12, &position));
    EXPECT_EQ(position, 8);
    EXPECT_EQ(packed[3], 1);
    EXPECT_EQ(
        mpi::pack_external("external32", data, 2, type_of(MPI_INT), packed, 12, &position).code(),
        MPI_ERR_TRUNCATE);
    EXPECT_STREQ(error_detail(MPI_ERR_TRUNCATE), "outsize is 12; 8 bytes at position 8 do not fit");
    EXPECT_EQ(position, 8);
    int back[2] = {};
    position = 0;
    ok(mpi::unpack_external("external32", packed, 8, &position, back, 2, type_of(MPI_INT)));
    EXPECT_EQ(back[1], 2);
    EXPECT_EQ(mpi::pack_external("native", data, 1, type_of(MPI_INT), packed, 12, &position).code(),
              MPI_ERR_ARG);
}

TEST(DatatypeCalls, StatusElementsComeBackAsCounts) {
    MPI_Status status;
    std::memset(&status, 0, sizeof status);
    int count;
    ok(mpi::status_set_elements(&status, type_of(MPI_DOUBLE_INT), 3));
    ok(mpi::get_elements(&status, type_of(MPI_DOUBLE_INT), &count));
    EXPECT_EQ(count, 3);
    ok(mpi::get_count(&status, type_of(MPI_DOUBLE_INT), &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    set_status_bytes(status, 12LL << 32);
    ok(mpi::get_count(&status, type_of(MPI_DOUBLE_INT), &count));
    EXPECT_EQ(count, MPI_UNDEFINED); // does not fit in int (section 5.1.5)
    MPI_Count wide;
    ok(mpi::get_count(&status, type_of(MPI_DOUBLE_INT), &wide));
    EXPECT_EQ(wide, 1LL << 32);
}

// Section 7.8: the null handle has its name, too.
TEST(DatatypeCalls, NamesOfPredefinedAndNullHandles) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    ok(mpi::type_get_name(nullptr, name, &length));
    EXPECT_STREQ(name, "MPI_DATATYPE_NULL");
    EXPECT_EQ(length, 17);
    MPI_Datatype vector;
    ok(mpi::type_vector(2, 1, 2, type_of(MPI_INT), &vector));
    ok(mpi::type_get_name(&type_of(vector), name, &length));
    EXPECT_EQ(length, 0);
    ok(mpi::type_set_name(type_of(vector), "column"));
    ok(mpi::type_get_name(&type_of(vector), name, &length));
    EXPECT_STREQ(name, "column");
    ok(mpi::type_free(&vector));
}

TEST(DatatypeCalls, MatchingSizesFindTheNamedDatatype) {
    MPI_Datatype handle;
    ok(mpi::type_match_size(MPI_TYPECLASS_COMPLEX, 16, &handle));
    EXPECT_EQ(handle, MPI_COMPLEX16);
    EXPECT_EQ(mpi::type_match_size(MPI_TYPECLASS_REAL, 5, &handle).code(), MPI_ERR_ARG);
}

TEST(OpCalls, PredefinedOperationsCannotBeFreedAndInPlaceIsRefused) {
    MPI_Op op = MPI_SUM;
    EXPECT_EQ(mpi::op_free(&op).code(), MPI_ERR_OP);
    int value = 1;
    EXPECT_EQ(
        mpi::reduce_local(MPI_IN_PLACE, &value, 1, type_of(MPI_INT), *find_op(MPI_SUM)).code(),
        MPI_ERR_BUFFER);
    int in = 4;
    ok(mpi::reduce_local(&in, &value, 1, type_of(MPI_INT), *find_op(MPI_SUM)));
    EXPECT_EQ(value, 5);
}
