#include "base/extension.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace thrum {
namespace {

struct Owner {
    int number = 0;
    static constexpr int extensions_max = 3;
    Extensions<Owner, extensions_max> extensions;
};

// Extensions that two layers above might add.
struct Note {
    explicit Note(std::string from) : text(std::move(from)) {}

    std::string text;
};

int notes_destroyed = 0;

void destroy_note(Note *note) {
    ++notes_destroyed;
    delete note;
}

int *half_of(Owner &owner) {
    return owner.number % 2 ? nullptr : new int(owner.number / 2);
}

void delete_int(int *number) {
    delete number;
}

const Extension<Owner, Note, destroy_note> notes;
const Extension<Owner, int, delete_int, half_of> halves;
const Extension<Owner, int> borrowed; // the owner's end leaves the object alone

TEST(Extension, EachOwnerHasItsOwn) {
    Owner one, other;
    EXPECT_EQ(notes.of(one).get(), nullptr);
    EXPECT_EQ(notes.of(one).get_or_make("first").text, "first");
    EXPECT_EQ(notes.of(one).get_or_make("too late").text, "first");
    EXPECT_EQ(notes.of(other).get(), nullptr);
    EXPECT_EQ(halves.of(one).get(), nullptr);
}

TEST(Extension, EndsWithItsOwnerUnlessItWasTaken) {
    notes_destroyed = 0;
    int number = 3;
    Note *taken;
    {
        Owner one, other;
        notes.of(one).set(new Note("stays"));
        notes.of(other).set(new Note("is taken"));
        borrowed.of(one).set(&number);
        taken = notes.of(other).take();
        EXPECT_EQ(notes.of(other).get(), nullptr);
    }
    EXPECT_EQ(notes_destroyed, 1);
    EXPECT_EQ(taken->text, "is taken");
    delete taken;
}

TEST(Extension, OwnersBeginWithWhatTheLayerAboveWants) {
    Owner even, odd;
    even.number = 8;
    odd.number = 7;
    even.extensions.begin(even);
    odd.extensions.begin(odd);
    ASSERT_NE(halves.of(even).get(), nullptr);
    EXPECT_EQ(*halves.of(even).get(), 4);
    EXPECT_EQ(halves.of(odd).get(), nullptr);
}

TEST(Extension, ThreadsThatComeAtTheSameTimeGetTheSame) {
    for (int round = 0; round < 200; ++round) {
        Owner owner;
        std::atomic<int> ready{0};
        Note *found[4];
        std::vector<std::thread> threads;
        for (Note *&mine : found)
            threads.emplace_back([&] {
                ++ready;
                while (ready < 4)
                    ;
                mine = &notes.of(owner).get_or_make("shared");
            });
        for (std::thread &thread : threads)
            thread.join();
        for (Note *mine : found)
            ASSERT_EQ(mine, found[0]);
    }
}

TEST(ExtensionDeathTest, MoreThanTheOwnerHasRoomForAreRefused) {
    using Another = Extension<Owner, char>;
    EXPECT_DEATH(Another(), "no room for another extension");
}

} // namespace
} // namespace thrum
