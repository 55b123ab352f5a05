// Functions with a static buffer: each rank has one of its own.
#include "libc/statics.h"
#include "libc/testing/ranks.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <search.h>
#include <string>
#include <vector>

namespace thrum {
namespace {

using testing::override_of;
using testing::run_ranks_with_libc;

TEST(Statics, RanksCutUpStringsAtTheSameTime) {
    run_ranks_with_libc(3, [](Rank &rank) {
        auto *cut = override_of<char *(char *, const char *)>("strtok");
        std::string text, name = std::to_string(rank.world_rank);
        for (int i = 0; i < 5; ++i)
            text += name + std::to_string(i) + ",";
        int words = 0;
        for (char *word = cut(text.data(), ","); word; word = cut(nullptr, ",")) {
            EXPECT_EQ(word, name + std::to_string(words++));
            yield();
        }
        EXPECT_EQ(words, 5);
    });
}

TEST(Statics, ResultsStayWhenAnotherRankCalls) {
    run_ranks_with_libc(3, [](Rank &rank) {
        auto *to_text = override_of<char *(long)>("l64a");
        const std::string expected = ::l64a(rank.world_rank * 1000);
        char *result = to_text(rank.world_rank * 1000);
        yield();
        EXPECT_EQ(result, expected);
    });
}

TEST(Statics, EachRankHasAHashTable) {
    run_ranks_with_libc(2, [](Rank &rank) {
        auto *make = override_of<int(size_t)>("hcreate");
        auto *search = override_of<ENTRY *(ENTRY, ACTION)>("hsearch");
        static char key[] = "key";
        ASSERT_NE(make(8), 0);
        yield();
        ASSERT_NE(search({key, &rank}, ENTER), nullptr);
        yield();
        const ENTRY *found = search({key, nullptr}, FIND);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->data, &rank);
        override_of<void()>("hdestroy")();
    });
}

TEST(Statics, AreMadeOnceAndOnlyOnUse) {
    run_ranks_with_libc(2, [](Rank &rank) {
        StaticBuffers &own = statics_of(libc_of(rank));
        EXPECT_EQ(&own, &statics_of(current_libc()));
        EXPECT_NE(&own, &statics_of(libc_of(rank_at(3 - rank.world_rank))));
    });
}

} // namespace
} // namespace thrum
