// Every macro of Catch2 in ranks (<thrum/catch2.h>): what passes, what is kept of those that fail,
// and those that are refused. frameworks.py runs it together with examples/testing/catch2.cc, which
// has main() and the test cases [shift].
#include <stdexcept>
#include <string>
#include <thrum/catch2.h>

#if THRUM_CATCH2_VERSION == 3
#include <catch2/generators/catch_generators.hpp>
using Catch::Matchers::ContainsSubstring;
#else
static auto ContainsSubstring(const std::string &text) {
    return Catch::Matchers::Contains(text);
}
#endif

static int rank_in(MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

static void throw_unless_0(int value) {
    if (value)
        throw std::runtime_error("bad " + std::to_string(value));
}

MPI_TEST_CASE("macros pass", "[pass]", 4) {
    const int rank = rank_in(world);
    INFO("rank is " << rank);
    CAPTURE(rank, rank + 1);
    UNSCOPED_INFO("unscoped");
    CHECK(rank < 4);
    REQUIRE_FALSE(rank > 4);
    REQUIRE_THROWS(throw_unless_0(1));
    REQUIRE_THROWS_AS(throw_unless_0(1), std::runtime_error);
    REQUIRE_THROWS_WITH(throw_unless_0(2), "bad 2");
    CHECK_THROWS_WITH(throw_unless_0(2), ContainsSubstring("bad"));
    CHECK_NOTHROW(throw_unless_0(0));
    CHECK_THAT(std::string("hello"), ContainsSubstring("ell"));
    CHECK_NOFAIL(rank == 0);
    bool was_true = false;
    CHECKED_IF(rank < 4) {
        was_true = true;
    }
    CHECKED_ELSE(rank < 4) {
        was_true = false;
    }
    REQUIRE(was_true);
    SUCCEED();
    STATIC_REQUIRE(sizeof(int) == 4);
}

MPI_TEST_CASE("macros fail", "[fail]", 2) {
    const int rank = rank_in(world);
    INFO("rank is " << rank);
    {
        INFO("out of scope");
    }
    CAPTURE(rank, rank + 1);
    UNSCOPED_INFO("unscoped");
    CHECK(rank > 4);
    CHECK_FALSE(rank < 4);
    CHECK_THROWS(throw_unless_0(0));
    CHECK_THROWS_AS(throw_unless_0(1), std::logic_error);
    CHECK_THROWS_WITH(throw_unless_0(2), "bad 3");
    CHECK_NOTHROW(throw_unless_0(1));
    CHECK_THAT(std::string("hello"), ContainsSubstring("elll"));
    WARN("careful, " << rank);
    MPI_Barrier(world);
    FAIL("the end of " << rank);
}

MPI_TEST_CASE("sections are refused", "[section]", 2) {
    SECTION("any") {
        CHECK(rank_in(world) == 3);
    }
}

MPI_TEST_CASE("generators are refused", "[generate]", 2) {
    CHECK(rank_in(world) == GENERATE(3, 4));
}

#ifdef SKIP
MPI_TEST_CASE("a rank skips", "[skip]", 2) {
    if (rank_in(world) == 1)
        SKIP("not in 1");
}
#endif

TEST_CASE("the end of a rank passes through assertions", "[unwound]") {
    thrum::check_run(3, [](MPI_Comm world) {
        if (rank_in(world) == 0)
            FAIL("alone");
        else if (rank_in(world) == 1)
            CHECK_THROWS(MPI_Barrier(world));
        else
            CHECK_NOTHROW(MPI_Barrier(world));
    });
}

MPI_TEST_CASE("runs are nested", "[nested]", 2) {
    thrum::check_run(2, [](MPI_Comm inner) { CHECK(rank_in(inner) == 0); });
}

TEST_CASE("runs are in sections and after generators", "[around]") {
    SECTION("one") {
        thrum::check_run(1, [](MPI_Comm world) { CHECK(rank_in(world) == 0); });
    }
    SECTION("two or three") {
        const int n = GENERATE(2, 3);
        thrum::check_run(n, [n](MPI_Comm world) { CHECK(rank_in(world) < n); });
    }
}

// Catch2 makes the texts of values with streams that all share.
MPI_TEST_CASE("ranks make texts at the same time", "[together]", 8) {
    MPI_Barrier(world);
    for (int i = 0; i < 20000; i++) {
        CAPTURE(i);
        if (i % 1000 == 999)
            CHECK(rank_in(world) == i);
    }
}

TEST_CASE("ranks have private globals", "[private]") {
    thrum::RunOptions options;
    options.globals = THRUM_GLOBALS_PRIVATE;
    thrum::check_run(
        2,
        [](MPI_Comm) {
            CHECK(std::string("a") == "b");
            CHECK_THROWS_WITH(throw_unless_0(2), "bad 2");
        },
        options);
}

TEST_CASE("macros outside of ranks are those of Catch2", "[outside]") {
    INFO("an information");
    CHECK(thrum_run_rank() == 1);
    CHECK_THROWS_AS(throw_unless_0(1), std::logic_error);
    REQUIRE_THROWS_WITH(throw_unless_0(1), "bad 2");
}
