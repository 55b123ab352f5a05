// Arguments between Fortran and C (MPI 5.0 section 19.3): what a call gets, and what is stored
// afterwards.
#include "comm/testing/processes.h"
#include "fortran/convert.h"

#include <climits>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace thrum::fortran {
namespace {

using converted::Use;

std::string in(std::string text, Blanks stripped = Blanks::Trailing) {
    return InString(text.data(), text.size(), stripped).c();
}

// A CHARACTER variable of `length`, after a call that has written `result` into it.
std::string out(size_t length, size_t size_bytes, const char *result,
                MPI_Fint *resultlen = nullptr) {
    std::string variable(length, '?');
    {
        OutString string(variable.data(), length, size_bytes, resultlen);
        if (result)
            std::strcpy(string.c(), result);
    }
    return variable;
}

TEST(InString, LosesTrailingBlanksOnly) {
    EXPECT_EQ(in("key"), "key");
    EXPECT_EQ(in("  two words   "), "  two words");
    EXPECT_EQ(in("   "), "");
    EXPECT_EQ(in(""), "");
}

TEST(InString, LosesLeadingBlanksWhereTheStandardSaysSo) {
    EXPECT_EQ(in("  two words   ", Blanks::Both), "two words");
    EXPECT_EQ(in("   ", Blanks::Both), "");
    EXPECT_EQ(in("", Blanks::Both), "");
}

TEST(InString, HoldsStringsOfAnyLength) {
    for (size_t length : {126U, 127U, 128U, 129U, 5000U}) {
        const std::string text(length, 'x');
        EXPECT_EQ(in(text), text);
        EXPECT_EQ(in(text + "   "), text);
    }
}

TEST(OutString, IsPaddedWithBlanks) {
    MPI_Fint length = -1;
    EXPECT_EQ(out(8, 9, "name", &length), "name    ");
    EXPECT_EQ(length, 4);
    EXPECT_EQ(out(4, 9, "name", &length), "name");
    EXPECT_EQ(length, 4);
    EXPECT_EQ(out(3, 9, "", &length), "   ");
    EXPECT_EQ(length, 0);
}

TEST(OutString, IsTruncatedToTheVariable) {
    MPI_Fint length = -1;
    EXPECT_EQ(out(3, 9, "name", &length), "nam");
    EXPECT_EQ(length, 3);
    EXPECT_EQ(out(0, 9, "name", &length), "");
    EXPECT_EQ(length, 0);
}

TEST(OutString, StaysUnchangedIfTheCallFails) {
    MPI_Fint length = -1;
    EXPECT_EQ(out(4, 9, nullptr, &length), "????");
    EXPECT_EQ(length, -1);
}

TEST(OutString, HoldsStringsOfAnyLength) {
    for (size_t length : {510U, 511U, 512U, 513U, 8000U}) {
        const std::string text(length, 'y');
        EXPECT_EQ(out(length + 2, length + 1, text.c_str()), text + "  ");
    }
}

TEST(RequestIndex, CountsFromOne) {
    MPI_Fint index = 7;
    {
        RequestIndex of_call(&index);
        EXPECT_EQ(*of_call.c(), MPI_UNDEFINED); // a call that fails leaves it so
        *of_call.c() = 0;
    }
    EXPECT_EQ(index, 1);
    {
        RequestIndex of_call(&index);
        *of_call.c() = 41;
    }
    EXPECT_EQ(index, 42);
    {
        RequestIndex of_call(&index);
    }
    EXPECT_EQ(index, MPI_UNDEFINED);
}

TEST(RequestIndices, CountFromOneAsFarAsTheyAreStored) {
    MPI_Fint indices[4] = {-5, -5, -5, -5}, count = 0;
    {
        RequestIndices of_call(indices, &count);
        of_call.c()[0] = 0;
        of_call.c()[1] = 2;
        count = 2;
    }
    EXPECT_EQ(std::vector<MPI_Fint>(indices, indices + 4), (std::vector<MPI_Fint>{1, 3, -5, -5}));
    {
        RequestIndices of_call(indices, &count);
        count = MPI_UNDEFINED;
    }
    EXPECT_EQ(indices[0], 1);
}

TEST(RequestIndices, StayAsTheyAreIfTheCallFails) {
    MPI_Fint indices[2] = {5, 6}, count = 2;
    {
        RequestIndices of_call(indices, &count);
    }
    EXPECT_EQ(std::vector<MPI_Fint>(indices, indices + 2), (std::vector<MPI_Fint>{5, 6}));
}

// Fortran's array ("a ", " b", "  ", "c ") of strings of length 2, `stride` elements apart.
std::vector<std::string> strings(const std::string &array, size_t length, size_t stride,
                                 int count) {
    StringArray converted(array.data(), length, stride, count);
    std::vector<std::string> result;
    for (char **string = converted.c(); *string; ++string)
        result.emplace_back(*string);
    return result;
}

TEST(StringArray, EndsAtABlankOneUnlessTheCountIsKnown) {
    run_processes(1, [](Process &) {
        using Strings = std::vector<std::string>;
        const std::string array = "a  b     c ";
        EXPECT_EQ(strings("one  two       ", 5, 1, StringArray::until_blank),
                  (Strings{"one", "two"}));
        EXPECT_EQ(strings("one  two       ", 5, 1, 3), (Strings{"one", "two", ""}));
        EXPECT_EQ(strings("one  two       ", 5, 1, 0), Strings{});
        EXPECT_EQ(strings("     ", 5, 1, StringArray::until_blank), Strings{});
        EXPECT_EQ(strings("  in  blanks  ", 14, 1, 1), Strings{"in  blanks"});
        // Row 0 of two rows: elements 0, 2, 4.
        EXPECT_EQ(strings("a0b0a1b1    ", 2, 2, StringArray::until_blank), (Strings{"a0", "a1"}));
    });
}

template <Use use>
std::vector<MPI_Fint> after_call(std::vector<MPI_Fint> numbers, MPI_Datatype stored) {
    {
        converted::Handles<StandardInterface, MPI_Datatype, use> handles(
            numbers.data(), static_cast<int>(numbers.size()));
        for (size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_EQ(handles.c()[i], use == Use::Out ? nullptr : MPI_INT);
            if (stored)
                handles.c()[i] = stored;
        }
    }
    return numbers;
}

TEST(LargeIntegers, BecomeTheNearestIntThatIsAsInvalid) {
    EXPECT_EQ(converted::to_int<int64_t>(-7), -7);
    EXPECT_EQ(converted::to_int<int64_t>(int64_t{1} << 40), INT_MAX);
    EXPECT_EQ(converted::to_int<int64_t>(-(int64_t{1} << 40)), INT_MIN);
}

TEST(LargeIntegers, AreStoredIfTheCallSetsThem) {
    const int64_t untouched = int64_t{-1} << 40;
    int64_t set = untouched, unset = untouched, changed = 5, numbers[3] = {untouched, untouched, 9};
    {
        converted::ValueResult<converted::same, int64_t> result(&set), none(&unset);
        converted::ChangedValue<converted::same, converted::same, int64_t> number(&changed);
        converted::ValueArrayResult<converted::same, int64_t> array(numbers, 3);
        *result.c() = -3;
        EXPECT_EQ((*number.c())++, 5);
        array.c()[0] = 1;
        array.c()[1] = 2;
    }
    EXPECT_EQ(set, -3);
    EXPECT_EQ(unset, untouched);
    EXPECT_EQ(changed, 6);
    EXPECT_EQ(numbers[0], 1);
    EXPECT_EQ(numbers[1], 2);
    EXPECT_EQ(numbers[2], 9);
}

TEST(Handles, AreStoredOnlyIfTheCallProducesThem) {
    run_processes(1, [](Process &) {
        const MPI_Fint int_number = to_fortran(MPI_INT), char_number = to_fortran(MPI_CHAR);
        for (size_t count : {0U, 1U, 15U, 16U, 17U, 300U}) { // few are kept on the stack
            const std::vector<MPI_Fint> before(count, int_number), changed(count, char_number);
            EXPECT_EQ(after_call<Use::In>(before, MPI_CHAR), before);
            EXPECT_EQ(after_call<Use::InOut>(before, MPI_CHAR), changed);
            EXPECT_EQ(after_call<Use::Out>(before, MPI_CHAR), changed);
            EXPECT_EQ(after_call<Use::Out>(before, nullptr), before);
        }
        MPI_Fint number = int_number;
        EXPECT_NE((converted::Handles<StandardInterface, MPI_Datatype, Use::In>(&number, -3).c()),
                  nullptr);
    });
}

TEST(Handles, OfEachKindComeBackFromTheirNumbers) {
    run_processes(1, [](Process &) {
        EXPECT_EQ(to_c<MPI_Comm>(to_fortran(MPI_COMM_WORLD)), MPI_COMM_WORLD);
        EXPECT_EQ(to_c<MPI_Comm>(to_fortran(MPI_COMM_NULL)), MPI_COMM_NULL);
        EXPECT_EQ(to_c<MPI_Op>(to_fortran(MPI_SUM)), MPI_SUM);
        EXPECT_EQ(to_c<MPI_Group>(to_fortran(MPI_GROUP_EMPTY)), MPI_GROUP_EMPTY);
        EXPECT_EQ(to_c<MPI_Info>(to_fortran(MPI_INFO_NULL)), MPI_INFO_NULL);
        EXPECT_EQ(to_c<MPI_Request>(to_fortran(MPI_REQUEST_NULL)), MPI_REQUEST_NULL);
        EXPECT_EQ(to_c<MPI_Errhandler>(to_fortran(MPI_ERRORS_RETURN)), MPI_ERRORS_RETURN);
        EXPECT_EQ(to_c<MPI_Win>(to_fortran(MPI_WIN_NULL)), MPI_WIN_NULL);
        EXPECT_EQ(to_c<MPI_File>(to_fortran(MPI_FILE_NULL)), MPI_FILE_NULL);
        EXPECT_EQ(to_c<MPI_Message>(to_fortran(MPI_MESSAGE_NO_PROC)), MPI_MESSAGE_NO_PROC);
        EXPECT_EQ(to_c<MPI_Session>(to_fortran(MPI_SESSION_NULL)), MPI_SESSION_NULL);
    });
}

} // namespace
} // namespace thrum::fortran
