// Clones of the test program itself. It is captured while it runs, not before its constructors, so
// the template holds the values of that moment; everything else is as in a job.
#include "image/image.h"

#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

int value = 5;
int *pointer = &value;
int zeroed[5000];
int *one_past_the_end = zeroed + 5000;
pid_t (*slot_of_getppid)() = ::getppid;
thread_local int *thread_pointer = &value;

int next() {
    static int calls = 0;
    return ++calls;
}

pid_t not_getppid() {
    return -17;
}

struct Variables {
    long unused;
    char *optarg;
};

const FunctionOverride functions[] = {{"getppid", reinterpret_cast<void *>(not_getppid)}};
const VariableOverride variables[] = {{"optarg", offsetof(Variables, optarg)}};
constexpr int clone_count = 3;
Variables variables_of[clone_count + 1];
Image *images[clone_count + 1]; // 0: the originals

template <class T>
T *in_clone(int number, T *original) {
    return static_cast<T *>(translate(images[number], reinterpret_cast<const void *>(original)));
}

class Images : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (images[1])
            return;
        capture(Overrides{functions, 1, variables, 1});
        reserve_images(&clone_count, 1);
        for (int i = 1; i <= clone_count; ++i)
            images[i] = make_image(i, &variables_of[i]);
    }
};

TEST_F(Images, EachCloneHasVariablesOfItsOwn) {
    for (int i = 1; i <= clone_count; ++i) {
        EXPECT_NE(in_clone(i, &value), &value);
        EXPECT_EQ(*in_clone(i, &value), 5);
        *in_clone(i, &value) = 100 + i;
    }
    EXPECT_EQ(value, 5);
    for (int i = 1; i <= clone_count; ++i) {
        EXPECT_EQ(*in_clone(i, &value), 100 + i);
        *in_clone(i, &value) = 5;
    }
}

TEST_F(Images, PointersLeadIntoTheirOwnClone) {
    for (int i = 1; i <= clone_count; ++i) {
        EXPECT_EQ(*in_clone(i, &pointer), in_clone(i, &value));
        EXPECT_EQ(*in_clone(i, &one_past_the_end), in_clone(i, &zeroed[0]) + 5000);
    }
}

TEST_F(Images, FunctionsOfACloneUseItsVariables) {
    auto *function =
        reinterpret_cast<int (*)()>(translate(images[2], reinterpret_cast<void *>(next)));
    int in_the_original = next();
    int in_the_clone = function();
    EXPECT_EQ(function(), in_the_clone + 1);
    EXPECT_EQ(function(), in_the_clone + 2);
    EXPECT_EQ(next(), in_the_original + 1);
}

TEST_F(Images, WhatIsSharedStaysWhereItIs) {
    int local = 0;
    EXPECT_EQ(translate(images[1], &local), &local);
    EXPECT_EQ(translate(images[1], stdout), stdout);
    EXPECT_EQ(translate(nullptr, &value), &value);
}

TEST_F(Images, OverridesStandInEverySlotOfTheOriginalsAndTheClones) {
    EXPECT_EQ(slot_of_getppid(), -17);
    for (int i = 1; i <= clone_count; ++i)
        EXPECT_EQ((*in_clone(i, &slot_of_getppid))(), -17);
}

TEST_F(Images, ACopiedVariableOfTheCLibraryIsFoundInEveryClone) {
    optind = 1; // a direct use, for which the linker makes a copy
    if (copied_variable(nullptr, "optind")) {
        EXPECT_EQ(copied_variable(nullptr, "optind"), &optind);
        EXPECT_EQ(copied_variable(images[1], "optind"), in_clone(1, &optind));
    }
    EXPECT_EQ(copied_variable(images[1], "no_such_variable"), nullptr);
}

TEST_F(Images, AnAddressTellsItsClone) {
    Location original = locate(&value);
    ASSERT_NE(original.path, nullptr);
    EXPECT_EQ(original.clone, 0);
    for (int i = 1; i <= clone_count; ++i) {
        Location clone = locate(in_clone(i, &value));
        EXPECT_EQ(clone.clone, i);
        EXPECT_STREQ(clone.path, original.path);
        EXPECT_EQ(clone.offset, original.offset);
    }
    EXPECT_NE(std::strstr(locate(stdout).path, "libc"), nullptr);
    std::vector<int> heap(1);
    EXPECT_EQ(locate(heap.data()).path, nullptr);
}

TEST_F(Images, ThreadLocalPointersLeadIntoTheClone) {
    std::thread([] {
        EXPECT_EQ(thread_pointer, &value);
        initialise_tls(images[3], __builtin_thread_pointer());
        EXPECT_EQ(thread_pointer, in_clone(3, &value));
    }).join();
    EXPECT_EQ(thread_pointer, &value);
}

TEST_F(Images, AThreadHasTheOriginalsUntilToldOtherwise) {
    EXPECT_EQ(current_image(), nullptr);
    set_current_image(images[1]);
    EXPECT_EQ(current_image(), images[1]);
    std::thread([] { EXPECT_EQ(current_image(), nullptr); }).join();
    set_current_image(nullptr);
    EXPECT_EQ(current_image(), nullptr);
}

} // namespace
} // namespace thrum
