#include "comm/attributes.h"

#include <gtest/gtest.h>
#include <string>

namespace thrum {
namespace {

std::string events;
int delete_result = MPI_SUCCESS;

int copy_adding_one(MPI_Comm, int, void *, void *in, void *out, int *flag) {
    events += "copy ";
    *flag = 1;
    *static_cast<char **>(out) = static_cast<char *>(in) + 1;
    return MPI_SUCCESS;
}

int copy_refused(MPI_Comm, int, void *, void *, void *, int *flag) {
    *flag = 0;
    return MPI_ERR_OTHER;
}

int recorded_delete(MPI_Comm, int, void *value, void *extra_state) {
    events += static_cast<const char *>(extra_state) +
              std::to_string(reinterpret_cast<uintptr_t>(value)) + " ";
    return delete_result;
}

template <class F>
void (*cast(F *function))() {
    return reinterpret_cast<void (*)()>(function);
}

Keyval &make_keyval(void (*copy)(), const char *name) {
    int number =
        new_keyval(Keyval::Kind::Comm, copy, cast(recorded_delete), const_cast<char *>(name));
    return *find_keyval(Keyval::Kind::Comm, number);
}

void *value(uintptr_t number) {
    return reinterpret_cast<void *>(number);
}

class AttributesTest : public testing::Test {
protected:
    void SetUp() override {
        events.clear();
        delete_result = MPI_SUCCESS;
    }

    Attributes *attributes = nullptr;
};

TEST_F(AttributesTest, AreDeletedInTheReverseOrderOfSetting) {
    Keyval &a = make_keyval(nullptr, "a"), &b = make_keyval(nullptr, "b");
    EXPECT_FALSE(set_attribute(attributes, a, value(1), nullptr));
    EXPECT_FALSE(set_attribute(attributes, b, value(2), nullptr));
    EXPECT_FALSE(delete_attributes(attributes, nullptr));
    EXPECT_EQ(events, "b2 a1 ");
    EXPECT_EQ(attributes, nullptr);
    free_keyval(a);
    free_keyval(b);
}

TEST_F(AttributesTest, SettingAgainDeletesTheOldValueFirst) {
    Keyval &a = make_keyval(nullptr, "a");
    EXPECT_FALSE(set_attribute(attributes, a, value(1), nullptr));
    EXPECT_FALSE(set_attribute(attributes, a, value(2), nullptr));
    EXPECT_EQ(events, "a1 ");
    EXPECT_EQ(find_attribute(attributes, a)->value, value(2));
    forget_attributes(attributes);
    free_keyval(a);
}

TEST_F(AttributesTest, ADeleteFunctionThatFailsKeepsTheAttributeAndItsCode) {
    Keyval &a = make_keyval(nullptr, "a");
    EXPECT_FALSE(set_attribute(attributes, a, value(1), nullptr));
    delete_result = 77;
    EXPECT_EQ(delete_attributes(attributes, nullptr).code(), 77);
    ASSERT_NE(find_attribute(attributes, a), nullptr);
    EXPECT_EQ(set_attribute(attributes, a, value(2), nullptr).code(), 77);
    EXPECT_EQ(find_attribute(attributes, a)->value, value(1));
    forget_attributes(attributes);
    free_keyval(a);
}

TEST_F(AttributesTest, CopiesAreWhatTheCopyFunctionsSay) {
    Keyval &none = make_keyval(nullptr, "n"), &same = make_keyval(cast(MPI_COMM_DUP_FN), "s"),
           &other = make_keyval(cast(copy_adding_one), "o");
    EXPECT_FALSE(set_attribute(attributes, none, value(10), nullptr));
    EXPECT_FALSE(set_attribute(attributes, same, value(20), nullptr));
    EXPECT_FALSE(set_attribute(attributes, other, value(30), nullptr));
    Attributes *copy = nullptr;
    EXPECT_FALSE(copy_attributes(attributes, nullptr, copy));
    EXPECT_EQ(find_attribute(copy, none), nullptr);
    EXPECT_EQ(find_attribute(copy, same)->value, value(20));
    EXPECT_EQ(find_attribute(copy, other)->value, value(31));
    EXPECT_EQ(events, "copy ");
    forget_attributes(copy);
    forget_attributes(attributes);
    for (Keyval *keyval : {&none, &same, &other})
        free_keyval(*keyval);
}

TEST_F(AttributesTest, ACopyFunctionThatFailsLeavesNoCopies) {
    Keyval &same = make_keyval(cast(MPI_COMM_DUP_FN), "s"),
           &bad = make_keyval(cast(copy_refused), "b");
    EXPECT_FALSE(set_attribute(attributes, same, value(1), nullptr));
    EXPECT_FALSE(set_attribute(attributes, bad, value(2), nullptr));
    Attributes *copy = nullptr;
    EXPECT_EQ(copy_attributes(attributes, nullptr, copy).code(), MPI_ERR_OTHER);
    EXPECT_EQ(copy, nullptr);
    forget_attributes(attributes);
    free_keyval(same);
    free_keyval(bad);
}

TEST_F(AttributesTest, AFreedKeyvalIsUnknownButItsAttributesAreStillDeleted) {
    Keyval &a = make_keyval(nullptr, "a");
    int number = a.number;
    EXPECT_FALSE(set_attribute(attributes, a, value(5), nullptr));
    free_keyval(a);
    EXPECT_EQ(find_keyval(Keyval::Kind::Comm, number), nullptr);
    EXPECT_FALSE(delete_attributes(attributes, nullptr));
    EXPECT_EQ(events, "a5 ");
}

TEST_F(AttributesTest, AKeyvalOfAnotherKindIsUnknown) {
    int number = new_keyval(Keyval::Kind::Type, nullptr, nullptr, nullptr);
    EXPECT_EQ(find_keyval(Keyval::Kind::Comm, number), nullptr);
    EXPECT_EQ(find_keyval(Keyval::Kind::Comm, MPI_TAG_UB), nullptr);
    free_keyval(*find_keyval(Keyval::Kind::Type, number));
}

} // namespace
} // namespace thrum
