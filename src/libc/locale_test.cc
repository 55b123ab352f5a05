// setlocale() of each rank.
#include "libc/locale.h"
#include "libc/testing/ranks.h"

#include <clocale>
#include <cwchar>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace thrum {
namespace {

using testing::override_of;

void run(int count, const std::function<void(Rank &)> &function,
         char *const *environment = nullptr) {
    testing::run_ranks_with_libc(count, function, environment, testing::own_thread_locals);
}

std::string set(int category, const char *name) {
    const char *result = override_of<char *(int, const char *)>("setlocale")(category, name);
    return result ? result : "(none)";
}

// Whether the calling thread converts UTF-8.
bool knows_umlauts() {
    wchar_t wide = 0;
    std::mbstate_t state = {};
    return std::mbrtowc(&wide, "\xc3\xa4", 2, &state) == 2 && wide == 0xe4;
}

TEST(Locale, IsCAtFirst) {
    run(1, [](Rank &) { EXPECT_EQ(set(LC_ALL, nullptr), "C"); });
}

TEST(Locale, OfOneRankIsNotThatOfAnother) {
    run(2, [](Rank &rank) {
        const bool changes = rank.world_rank == 1;
        if (changes) {
            EXPECT_EQ(set(LC_ALL, "C.UTF-8"), "C.UTF-8");
        }
        yield();
        EXPECT_EQ(set(LC_ALL, nullptr), changes ? "C.UTF-8" : "C");
        EXPECT_EQ(knows_umlauts(), changes);
    });
}

TEST(Locale, OfOneCategoryLeavesTheOthers) {
    run(1, [](Rank &) {
        EXPECT_EQ(set(LC_CTYPE, "C.UTF-8"), "C.UTF-8");
        EXPECT_EQ(set(LC_NUMERIC, nullptr), "C");
        const std::string all = set(LC_ALL, nullptr);
        EXPECT_NE(all.find("LC_CTYPE=C.UTF-8"), std::string::npos) << all;
        EXPECT_NE(all.find("LC_NUMERIC=C"), std::string::npos) << all;
        EXPECT_EQ(set(LC_ALL, all.c_str()), all);
    });
}

TEST(Locale, ThatDoesNotExistChangesNothing) {
    run(1, [](Rank &) {
        set(LC_ALL, "C.UTF-8");
        EXPECT_EQ(set(LC_ALL, "xx_XX.nothing"), "(none)");
        EXPECT_EQ(set(LC_ALL, nullptr), "C.UTF-8");
    });
}

TEST(Locale, OfAThreadGivesWayToTheRanksAgain) {
    run(1, [](Rank &) {
        auto *use = override_of<locale_t(locale_t)>("uselocale");
        set(LC_ALL, "C.UTF-8");
        const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
        EXPECT_EQ(use(plain), LC_GLOBAL_LOCALE);
        EXPECT_FALSE(knows_umlauts());
        EXPECT_EQ(use(LC_GLOBAL_LOCALE), plain);
        EXPECT_TRUE(knows_umlauts());
        ::freelocale(plain);
    });
}

TEST(Locale, WithoutANameComesFromTheRanksEnvironment) {
    char general[] = "LANG=C.UTF-8", special[] = "LC_NUMERIC=POSIX";
    char *variables[] = {general, special, nullptr};
    run(
        1,
        [](Rank &) {
            EXPECT_EQ(set(LC_CTYPE, ""), "C.UTF-8");
            EXPECT_EQ(set(LC_NUMERIC, ""), "C");
        },
        variables);
}

} // namespace
} // namespace thrum
