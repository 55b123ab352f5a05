#include "comm/error_codes.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"

#include <gtest/gtest.h>
#include <set>

namespace thrum {
namespace {

class ErrorCodesTest : public testing::Test {
protected:
    void SetUp() override { create_processes(2); }

    Process &process() { return process_at(0); }

    std::string text_of(int code) {
        std::string text;
        EXPECT_FALSE(find_error_text(process(), code, text));
        return text;
    }
};

TEST_F(ErrorCodesTest, EveryPredefinedClassHasItsOwnTextAndIsItsOwnClass) {
    std::set<std::string> texts;
    for (int code = MPI_SUCCESS; code <= MPI_ERR_ABI; ++code) {
        int error_class = -1;
        EXPECT_FALSE(find_error_class(process(), code, error_class));
        EXPECT_EQ(error_class, code);
        EXPECT_LT(text_of(code).size(), static_cast<size_t>(MPI_MAX_ERROR_STRING));
        EXPECT_TRUE(texts.insert(text_of(code)).second) << code;
    }
}

TEST_F(ErrorCodesTest, TextsStandAtTheNumbersOfTheHeader) {
    EXPECT_STREQ(error_class_name(MPI_SUCCESS), "MPI_SUCCESS");
    EXPECT_STREQ(error_class_name(MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE");
    EXPECT_STREQ(error_class_name(MPI_ERR_NO_MEM), "MPI_ERR_NO_MEM");
    EXPECT_STREQ(error_class_name(MPI_ERR_WIN), "MPI_ERR_WIN");
    EXPECT_STREQ(error_class_name(MPI_ERR_ABI), "MPI_ERR_ABI");
    EXPECT_STREQ(error_class_name(MPI_T_ERR_INVALID_NAME), "MPI_T_ERR_INVALID_NAME");
    EXPECT_EQ(error_class_name(MPI_ERR_ABI + 1), nullptr);
    EXPECT_EQ(error_class_name(-1), nullptr);
}

TEST_F(ErrorCodesTest, AddedClassesAndCodesBelongToOneRank) {
    int error_class = add_error_class(process()), code = 0, found = 0;
    EXPECT_GT(error_class, MPI_ERR_LASTCODE);
    EXPECT_FALSE(add_error_code(process(), error_class, code));
    EXPECT_EQ(*last_used_code(process()), code);
    EXPECT_FALSE(find_error_class(process(), code, found));
    EXPECT_EQ(found, error_class);
    EXPECT_EQ(find_error_class(process_at(1), code, found).code(), MPI_ERR_ARG);
    EXPECT_EQ(text_of(code), "");
    EXPECT_FALSE(set_error_text(process(), code, "too hot"));
    EXPECT_EQ(text_of(code), "too hot");
}

TEST_F(ErrorCodesTest, PredefinedCodesCannotBeChanged) {
    EXPECT_EQ(set_error_text(process(), MPI_ERR_RANK, "x").code(), MPI_ERR_ARG);
    EXPECT_EQ(remove_error_class(process(), MPI_ERR_RANK).code(), MPI_ERR_ARG);
    EXPECT_EQ(remove_error_code(process(), MPI_ERR_RANK).code(), MPI_ERR_ARG);
}

TEST_F(ErrorCodesTest, AClassIsRemovedAfterItsCodesAndItsString) {
    int error_class = add_error_class(process()), code = 0, found = 0;
    EXPECT_FALSE(add_error_code(process(), error_class, code));
    EXPECT_FALSE(set_error_text(process(), error_class, "class"));
    EXPECT_TRUE(remove_error_class(process(), error_class));
    EXPECT_FALSE(remove_error_code(process(), code));
    EXPECT_TRUE(remove_error_class(process(), error_class));
    EXPECT_FALSE(remove_error_text(process(), error_class));
    EXPECT_FALSE(remove_error_class(process(), error_class));
    EXPECT_EQ(find_error_class(process(), error_class, found).code(), MPI_ERR_ARG);
}

// A removal in quadratic time took a minute.
TEST_F(ErrorCodesTest, ManyCodesAreRemovedInAnyOrder) {
    constexpr int count = 100000;
    const int error_class = add_error_class(process());
    for (int order = 0; order < 3; ++order) {
        std::vector<int> codes(count), classes(count);
        for (int i = 0; i < count; ++i) {
            EXPECT_FALSE(add_error_code(process(), error_class, codes[static_cast<size_t>(i)]));
            classes[static_cast<size_t>(i)] = add_error_class(process());
        }
        EXPECT_EQ(*last_used_code(process()), classes.back());
        EXPECT_EQ(remove_error_class(process(), error_class).code(), MPI_ERR_OTHER);
        for (size_t i = 0; i < count; ++i) {
            const size_t at = order == 0 ? i : order == 1 ? count - 1 - i : i * 7919 % count;
            EXPECT_FALSE(remove_error_code(process(), codes[at]));
            EXPECT_FALSE(remove_error_class(process(), classes[at]));
        }
        EXPECT_EQ(*last_used_code(process()), error_class);
    }
    EXPECT_FALSE(remove_error_class(process(), error_class));
    EXPECT_EQ(*last_used_code(process()), MPI_ERR_LASTCODE);
}

} // namespace
} // namespace thrum
