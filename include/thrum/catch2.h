/* <thrum/catch2.h>: Catch2 (version 2) test cases whose body runs in several MPI ranks
 * (docs/testing.md).
 *
 *   MPI_TEST_CASE("the token goes around", "[ring]", 4) {   // 4 ranks
 *       int rank;
 *       MPI_Comm_rank(world, &rank);                         // `world` is MPI_COMM_WORLD
 *       CHECK(pass_token(world) == 4);
 *   }
 *
 * Catch2's assertions may be made by one thread only. So this header replaces CHECK, CHECK_FALSE,
 * REQUIRE, REQUIRE_FALSE, FAIL and FAIL_CHECK: in a rank they keep what has failed, and the test
 * case reports it when all ranks have ended, with its file and line and the number of the rank.
 * Elsewhere they are Catch2's own. A REQUIRE that fails leaves the body of its rank; ranks that
 * wait for it are ended, and the report says where they waited. Other macros of Catch2 (SECTION,
 * INFO, CHECK_THAT ...) belong to the thread of the test: use thrum::check_run() inside of them.
 *
 * Include it after or instead of <catch2/catch.hpp>. */
#ifndef THRUM_CATCH2_H
#define THRUM_CATCH2_H
#ifdef __GNUC__
#pragma GCC system_header /* the macros of Catch2 need parentheses that they do not have */
#endif

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <thrum/run.h>
#include <vector>

namespace thrum {
namespace catch2_detail {

/* An assertion that has failed in a rank. */
struct Failure {
    const char *macro, *expression;
    Catch::SourceLineInfo place;
    std::string expansion;
};

/* What the calling rank has kept; nullptr: the caller is no rank. */
inline thread_local std::vector<Failure> *failures = nullptr;

/* Leaves the body of a rank whose REQUIRE has failed. */
struct RequirementFailed {};

/* One assertion in a rank. */
class Assertion {
public:
    Assertion(const char *macro, const char *expression, const Catch::SourceLineInfo &place,
              int disposition)
        : failure_{macro, expression, place, ""}, disposition_(disposition) {}

    template <class T>
    void handle(const Catch::ExprLhs<T> &expression) {
        handle(expression.makeUnaryExpr());
    }

    void handle(const Catch::ITransientExpression &expression) {
        const bool is_negated = disposition_ & Catch::ResultDisposition::FalseTest;
        if (expression.getResult() != is_negated)
            return;
        std::ostringstream text;
        text << (is_negated ? "!(" : "");
        expression.streamReconstructedExpression(text);
        fail(text.str() + (is_negated ? ")" : ""));
    }

    void fail(const std::string &expansion) {
        has_failed_ = true;
        failure_.expansion = expansion;
        failures->push_back(failure_);
        thrum_run_fail(THRUM_RANK_ASSERTED,
                       (std::string("failed assertion at ") + failure_.place.file + ":" +
                        std::to_string(failure_.place.line))
                           .c_str());
    }

    void fail_by_exception() {
        try {
            throw;
        } catch (const std::exception &exception) {
            fail(std::string("unexpected exception: ") + exception.what());
        } catch (...) {
            fail("unexpected exception of unknown type");
        }
    }

    /* Throws if the test must not go on in this rank. */
    void react() const {
        if (has_failed_ && !(disposition_ & Catch::ResultDisposition::ContinueOnFailure))
            throw RequirementFailed();
    }

private:
    Failure failure_;
    int disposition_;
    bool has_failed_ = false;
};

/* Reports what a rank has kept, on the thread of the test case. */
inline void report(const std::vector<Failure> &kept, int rank, int n) {
    for (const Failure &failure : kept) {
        Catch::AssertionHandler handler(Catch::StringRef(failure.macro), failure.place,
                                        Catch::StringRef(failure.expression),
                                        Catch::ResultDisposition::ContinueOnFailure);
        const std::string text =
            "rank " + std::to_string(rank) + " of " + std::to_string(n) + ": " + failure.expansion;
        handler.handleMessage(Catch::ResultWas::ExplicitFailure, Catch::StringRef(text));
        handler.complete();
    }
}

} // namespace catch2_detail

/* Runs function(world) in `n` ranks. Their failed assertions, and whatever else a rank fails by,
 * are failures of the current test case. */
template <class Function>
void check_run(int n, Function &&function, const RunOptions &options = {},
               const Catch::SourceLineInfo &place = CATCH_INTERNAL_LINEINFO) {
    std::vector<std::vector<catch2_detail::Failure>> kept(n > 0 ? static_cast<size_t>(n) : 0);
    const RunResult result = run(
        n,
        [&](MPI_Comm world) {
            catch2_detail::failures = &kept[static_cast<size_t>(thrum_run_rank())];
            try {
                function(world);
            } catch (const catch2_detail::RequirementFailed &) {
                /* it has been kept */
            }
        },
        options);
    for (int rank = 0; rank < result->n_ranks; ++rank)
        catch2_detail::report(kept[static_cast<size_t>(rank)], rank, n);
    Catch::AssertionHandler handler("check_run", place, "",
                                    Catch::ResultDisposition::ContinueOnFailure);
    const std::string text = result.text();
    if (!result && !run_detail::only_assertions_failed(result.get()))
        handler.handleMessage(Catch::ResultWas::ExplicitFailure, Catch::StringRef(text));
    else
        handler.handleMessage(Catch::ResultWas::Ok, "");
    handler.complete();
}

} // namespace thrum

#define THRUM_CATCH2_ASSERT(macro, disposition, ...)                                               \
    do {                                                                                           \
        if (::thrum::catch2_detail::failures) {                                                    \
            ::thrum::catch2_detail::Assertion thrum_assertion(                                     \
                macro, #__VA_ARGS__, CATCH_INTERNAL_LINEINFO, disposition);                        \
            try {                                                                                  \
                thrum_assertion.handle(::Catch::Decomposer() <= __VA_ARGS__);                      \
            } catch (::abi::__forced_unwind &) {                                                   \
                throw;                                                                             \
            } catch (...) {                                                                        \
                thrum_assertion.fail_by_exception();                                               \
            }                                                                                      \
            thrum_assertion.react();                                                               \
        } else                                                                                     \
            INTERNAL_CATCH_TEST(macro, disposition, __VA_ARGS__);                                  \
    } while (false)

#define THRUM_CATCH2_FAIL(macro, disposition, ...)                                                 \
    do {                                                                                           \
        if (::thrum::catch2_detail::failures) {                                                    \
            ::thrum::catch2_detail::Assertion thrum_assertion(                                     \
                macro, #__VA_ARGS__, CATCH_INTERNAL_LINEINFO, disposition);                        \
            std::ostringstream thrum_text;                                                         \
            thrum_text << __VA_ARGS__;                                                             \
            thrum_assertion.fail(thrum_text.str());                                                \
            thrum_assertion.react();                                                               \
        } else                                                                                     \
            INTERNAL_CATCH_MSG(macro, ::Catch::ResultWas::ExplicitFailure, disposition,            \
                               __VA_ARGS__);                                                       \
    } while (false)

#undef CHECK
#undef CHECK_FALSE
#undef REQUIRE
#undef REQUIRE_FALSE
#undef FAIL
#undef FAIL_CHECK
#define CHECK(...)                                                                                 \
    THRUM_CATCH2_ASSERT("CHECK", ::Catch::ResultDisposition::ContinueOnFailure, __VA_ARGS__)
#define CHECK_FALSE(...)                                                                           \
    THRUM_CATCH2_ASSERT("CHECK_FALSE",                                                             \
                        ::Catch::ResultDisposition::ContinueOnFailure |                            \
                            ::Catch::ResultDisposition::FalseTest,                                 \
                        __VA_ARGS__)
#define REQUIRE(...) THRUM_CATCH2_ASSERT("REQUIRE", ::Catch::ResultDisposition::Normal, __VA_ARGS__)
#define REQUIRE_FALSE(...)                                                                         \
    THRUM_CATCH2_ASSERT(                                                                           \
        "REQUIRE_FALSE",                                                                           \
        ::Catch::ResultDisposition::Normal | ::Catch::ResultDisposition::FalseTest, __VA_ARGS__)
#define FAIL(...) THRUM_CATCH2_FAIL("FAIL", ::Catch::ResultDisposition::Normal, __VA_ARGS__)
#define FAIL_CHECK(...)                                                                            \
    THRUM_CATCH2_FAIL("FAIL_CHECK", ::Catch::ResultDisposition::ContinueOnFailure, __VA_ARGS__)

#define THRUM_CATCH2_RANKS(function, name, tags, n)                                                \
    static void function(MPI_Comm world);                                                          \
    TEST_CASE(name, tags) {                                                                        \
        ::thrum::check_run(n, function, {}, CATCH_INTERNAL_LINEINFO);                              \
    }                                                                                              \
    static void function([[maybe_unused]] MPI_Comm world)

/* A test case whose body runs in `n` ranks: TEST_CASE(name, tags). */
#define MPI_TEST_CASE(name, tags, n)                                                               \
    THRUM_CATCH2_RANKS(INTERNAL_CATCH_UNIQUE_NAME(thrum_ranks_), name, tags, n)

#endif
