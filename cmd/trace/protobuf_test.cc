// The examples of protobuf.dev/programming-guides/encoding.
#include "protobuf.h"

#include <gtest/gtest.h>

namespace trace {
namespace {

TEST(Protobuf, FieldsAreEncodedAsTheGuideSays) {
    Message message;
    message.add(1, uint64_t{150});
    EXPECT_EQ(message.bytes(), "\x08\x96\x01");
    message.clear();
    message.add(2, std::string_view("testing"));
    EXPECT_EQ(message.bytes(), "\x12\x07testing");
    Message inner, outer;
    inner.add(1, uint64_t{150});
    outer.add(3, inner);
    EXPECT_EQ(outer.bytes(), "\x1a\x03\x08\x96\x01");
}

TEST(Protobuf, NegativeNumbersTakeTenBytes) {
    Message message;
    message.add_signed(1, -2);
    EXPECT_EQ(message.bytes(), "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(Protobuf, FixedNumbersAreLittleEndian) {
    Message message;
    message.add_fixed(47, 0x0102030405060708);
    EXPECT_EQ(message.bytes(), std::string_view("\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01"));
}

} // namespace
} // namespace trace
