#include "json.h"
#include "text/json_string.h"

#include <gtest/gtest.h>

namespace sweep {
namespace {

using text::json_string;

TEST(Json, StringsAreEscaped) {
    EXPECT_EQ(json_string("a \"b\" \\ \n\t\x01"), "\"a \\\"b\\\" \\\\ \\u000a\\u0009\\u0001\"");
    EXPECT_EQ(json_string(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(Json, Utf8StaysAndOtherBytesAreReplaced) {
    for (const char *text :
         {"\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf", "\xf0\x9f\x98\x80", "\x7f"})
        EXPECT_EQ(json_string(text), "\"" + std::string(text) + "\"");
    EXPECT_EQ(json_string("\xff"), "\"\\ufffd\"");
    EXPECT_EQ(json_string("\xc3"), "\"\\ufffd\"") << "cut";
    EXPECT_EQ(json_string("\xc0\x80"), "\"\\ufffd\\ufffd\"") << "overlong";
    EXPECT_EQ(json_string("\xe0\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
    EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"") << "a surrogate";
    EXPECT_EQ(json_string("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"") << "too large";
}

} // namespace
} // namespace sweep
