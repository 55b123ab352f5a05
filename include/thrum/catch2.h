/* <thrum/catch2.h>: Catch2 test cases (version 2 or 3) whose body runs in several MPI ranks
 * (docs/testing.md).
 *
 *   MPI_TEST_CASE("the token goes around", "[ring]", 4) {   // 4 ranks
 *       int rank;
 *       MPI_Comm_rank(world, &rank);                         // `world` is MPI_COMM_WORLD
 *       CHECK(pass_token(world) == 4);
 *   }
 *
 * Catch2's macros may be used by one thread only. So this header replaces what its assertions,
 * messages and matchers expand to: in a rank they keep what has failed, and the test case reports
 * it when all ranks have ended, with its file and line and the number of the rank. Elsewhere they
 * do what Catch2 does. A REQUIRE that fails leaves the body of its rank; ranks that wait for it are
 * ended, and the report says where they waited. All other macros (SECTION, GENERATE, BENCHMARK ...)
 * belong to the thread of the test: they fail in a rank. Use thrum::check_run() inside of them.
 *
 * Include it after or instead of Catch2's own headers. Programs with version 3 are linked with
 * -lCatch2Main -lCatch2, as always. */
#ifndef THRUM_CATCH2_H
#define THRUM_CATCH2_H
#ifdef __GNUC__
#pragma GCC system_header /* the macros of Catch2 need parentheses that they do not have */
#endif

#if defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED)
#define THRUM_CATCH2_VERSION 2 /* its header has been included, under whatever name */
#elif __has_include(<catch2/catch_test_macros.hpp>)
#define THRUM_CATCH2_VERSION 3
#elif __has_include(<catch2/catch.hpp>)
#define THRUM_CATCH2_VERSION 2
#else
#error "<thrum/catch2.h> needs Catch2: neither <catch2/catch_test_macros.hpp> (version 3) nor \
<catch2/catch.hpp> (version 2) was found. Install the package catch2, or add its folder with -I"
#endif

#if THRUM_CATCH2_VERSION == 3
#include <catch2/catch_test_macros.hpp>
#include <catch2/interfaces/catch_interfaces_config.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/internal/catch_context.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#elif !defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED)
#include <catch2/catch.hpp>
#endif
#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thrum/run.h>
#include <utility>
#include <vector>

/* What Catch2 compares with a matcher; its third argument is the text of the matcher. */
#if THRUM_CATCH2_VERSION == 3
#define THRUM_CATCH2_MATCH(argument, matcher, text) ::Catch::makeMatchExpr(argument, matcher)
#else
#define THRUM_CATCH2_MATCH(argument, matcher, text)                                                \
    ::Catch::makeMatchExpr(argument, matcher, ::Catch::StringRef(text))
#endif

namespace thrum {
namespace catch2_detail {

/* What the test case reports after the run. If ranks have private globals, so are the literals. */
struct Kept {
    std::string macro, expression, file;
    std::size_t line;
    int disposition;
    Catch::ResultWas::OfType type;
    std::string text;
};

/* A message that is shown with failures. */
struct Info {
    const void *owner; /* which removes it; nullptr: the next assertion does */
    std::string text;
};

/* What a rank has seen. */
struct Rank {
    std::vector<Kept> kept;
    std::vector<Info> infos;
    bool has_passed = true; /* the last assertion */

    void remove_infos(const void *owner) {
        infos.erase(std::remove_if(infos.begin(), infos.end(),
                                   [owner](const Info &info) { return info.owner == owner; }),
                    infos.end());
    }
};

/* The calling rank; nullptr: the caller is no rank. */
inline thread_local Rank *calling_rank = nullptr;

/* Leaves the body of a rank whose REQUIRE has failed, or that skips the rest. */
struct LeaveRank {};

/* Is called where an assertion catches any exception: lets the end of a rank pass, be it by the
 * library or by an assertion inside of this one. */
inline void pass_end_of_rank() {
    run_detail::pass_end_of_rank();
    try {
        throw;
    } catch (const LeaveRank &) {
        throw;
    } catch (...) {
        /* the program's */
    }
}

/* Guards the streams and the registries that Catch2 makes texts with. */
inline std::mutex texts;

/* Returns the text of values, which `make` returns. Catch2 needs its configuration for that, and
 * was never started for ranks with private globals. */
template <class Make>
std::string text_of_values(const Make &make) {
    if (!Catch::getCurrentContext().getConfig())
        return "(values are not shown if ranks have private globals)";
    const std::lock_guard<std::mutex> lock(texts);
    return make();
}

/* Returns the text of the exception that is being handled. */
inline std::string text_of_exception() {
    const std::lock_guard<std::mutex> lock(texts);
    return Catch::translateActiveException();
}

/* A stream of the caller's own: those of Catch2 are shared. */
class Text {
public:
    template <class T>
    Text &operator<<(const T &value) {
        stream_ << value;
        return *this;
    }

    std::string str() const { return stream_.str(); }

private:
    std::ostringstream stream_;
};

/* One assertion: Catch2's own, or one of a rank. */
class Assertion {
public:
    Assertion(const char *macro, const Catch::SourceLineInfo &place, const char *expression,
              int disposition)
        : rank_(calling_rank),
          kept_{macro, expression, place.file, place.line, disposition, Catch::ResultWas::Ok, ""} {
        if (!rank_)
            own_.emplace(Catch::StringRef(macro), place, Catch::StringRef(expression),
                         static_cast<Catch::ResultDisposition::Flags>(disposition));
    }

    template <class T>
    void test(const Catch::ExprLhs<T> &expression) {
        test(expression.makeUnaryExpr());
    }

    void test(const Catch::ITransientExpression &expression) {
        if (own_)
            return own_->handleExpr(expression);
        const bool is_negated = kept_.disposition & Catch::ResultDisposition::FalseTest;
        if (expression.getResult() == is_negated)
            fail(text_of_values([&] {
                std::ostringstream text;
                text << (is_negated ? "!(" : "");
                expression.streamReconstructedExpression(text);
                return text.str() + (is_negated ? ")" : "");
            }));
    }

    /* Matches the text of the exception that is being handled. */
    template <class Matcher>
    void match_thrown(const Matcher &matcher, [[maybe_unused]] const char *name) {
        if (!own_) {
            const std::string thrown = text_of_exception();
            if constexpr (std::is_convertible_v<const Matcher &, std::string>)
                test(THRUM_CATCH2_MATCH(thrown, Catch::Matchers::Equals(matcher), name));
            else
                test(THRUM_CATCH2_MATCH(thrown, matcher, name));
            return;
        }
#if THRUM_CATCH2_VERSION == 3
        Catch::handleExceptionMatchExpr(*own_, matcher);
#else
        Catch::handleExceptionMatchExpr(*own_, matcher, Catch::StringRef(name));
#endif
    }

    void message(Catch::ResultWas::OfType type, std::string text) {
        if (own_)
            own_->handleMessage(type, std::move(text));
        else if (type != Catch::ResultWas::Ok)
            keep(type, text);
    }

    /* Returns whether an expression that throws may be evaluated (option --nothrow of Catch2). */
    bool may_throw() {
        const auto &config = Catch::getCurrentContext().getConfig();
        const bool may = !config || config->allowThrows();
        if (own_ && !may)
            own_->handleThrowingCallSkipped();
        return may;
    }

    void not_thrown() {
        own_ ? own_->handleUnexpectedExceptionNotThrown()
             : fail("no exception was thrown where one was expected");
    }

    void unexpected() {
        own_ ? own_->handleUnexpectedInflightException()
             : fail("unexpected exception: " + text_of_exception());
    }

    void thrown_as_expected() {
        if (own_)
            own_->handleExceptionThrownAsExpected();
    }

    void not_thrown_as_expected() {
        if (own_)
            own_->handleExceptionNotThrownAsExpected();
    }

    /* Throws if the test must not go on in this rank. */
    void complete() {
        if (own_)
            return own_->complete();
        rank_->has_passed = !(kept_.type & Catch::ResultWas::FailureBit);
        rank_->remove_infos(nullptr);
        if (kept_.type != Catch::ResultWas::Ok &&
            (kept_.disposition & Catch::ResultDisposition::Normal))
            throw LeaveRank();
    }

private:
    void fail(const std::string &text) { keep(Catch::ResultWas::ExplicitFailure, text); }

    void keep(Catch::ResultWas::OfType type, const std::string &text) {
        kept_.type = type;
        kept_.text = text;
        for (const Info &info : rank_->infos)
            kept_.text += "\n  with message: " + info.text;
        rank_->kept.push_back(kept_);
        if ((type & Catch::ResultWas::FailureBit) &&
            !(kept_.disposition & Catch::ResultDisposition::SuppressFail))
            thrum_run_fail(THRUM_RANK_ASSERTED, (std::string("failed assertion at ") + kept_.file +
                                                 ":" + std::to_string(kept_.line))
                                                    .c_str());
    }

    Rank *rank_;
    Kept kept_;
    std::optional<Catch::AssertionHandler> own_;
};

/* Returns whether the last assertion has passed. */
inline bool has_passed() {
    return calling_rank ? calling_rank->has_passed
                        : Catch::getResultCapture().lastAssertionPassed();
}

/* A message that is shown with failures until the end of its scope. */
class ScopedInfo {
public:
    ScopedInfo(const char *macro, const Catch::SourceLineInfo &place, const std::string &text) {
        if (rank_)
            rank_->infos.push_back({this, text});
        else
            own_.emplace(
                Catch::MessageBuilder(Catch::StringRef(macro), place, Catch::ResultWas::Info)
                << text);
    }

    ScopedInfo(const ScopedInfo &) = delete;
    ScopedInfo &operator=(const ScopedInfo &) = delete;

    ~ScopedInfo() {
        if (rank_)
            rank_->remove_infos(this);
    }

private:
    Rank *rank_ = calling_rank;
    std::optional<Catch::ScopedMessage> own_;
};

/* Shows a message with the next assertion, if it fails. */
inline void add_unscoped_info(const char *macro, const Catch::SourceLineInfo &place,
                              const std::string &text) {
    if (calling_rank)
        calling_rank->infos.push_back({nullptr, text});
    else
        Catch::getResultCapture().emplaceUnscopedMessage(
            Catch::MessageBuilder(Catch::StringRef(macro), place, Catch::ResultWas::Info) << text);
}

/* Values that are shown with failures until the end of their scope. */
class Capture {
public:
    Capture(const char *macro, const Catch::SourceLineInfo &place, const char *names)
        : macro_(macro), names_(names), place_(place) {
        if (!calling_rank)
            own_.emplace(Catch::StringRef(macro), place, Catch::ResultWas::Info,
                         Catch::StringRef(names));
    }

    template <class... Values>
    void set(const Values &...values) {
        if (own_)
            return own_->captureValues(0, values...);
        std::string text;
        ((text += (text.empty() ? "" : ", ") +
                  text_of_values([&] { return Catch::Detail::stringify(values); })),
         ...);
        in_rank_.emplace(macro_, place_, names_ + (" := " + text));
    }

private:
    const char *macro_;
    std::string names_;
    Catch::SourceLineInfo place_;
    std::optional<Catch::Capturer> own_;
    std::optional<ScopedInfo> in_rank_;
};

/* Returns the place of a macro that only the thread of the test may use. In a rank it fails. */
inline Catch::SourceLineInfo place_outside_of_ranks(const char *file, std::size_t line) {
    const Catch::SourceLineInfo place(file, line);
    if (calling_rank) {
        Assertion refusal("", place, "", Catch::ResultDisposition::Normal);
        refusal.message(Catch::ResultWas::ExplicitFailure,
                        "a macro that only the thread of a test may use, such as SECTION or "
                        "GENERATE, was used in a rank; call thrum::check_run() inside of it");
        refusal.complete();
    }
    return place;
}

/* Returns a copy of `text` that stays: reporters of Catch2 keep the address. */
inline const char *lasting(const std::string &text) {
    static std::set<std::string> all;
    return all.insert(text).first->c_str();
}

/* Returns whether a rank has skipped the rest. */
inline bool is_skip(const Kept &kept) {
    return kept.type != Catch::ResultWas::Warning && !(kept.type & Catch::ResultWas::FailureBit);
}

/* Reports what the ranks have kept and `which` chooses. */
template <class Which>
void report_if(const std::vector<Rank> &ranks, const Which &which) {
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
        for (const Kept &kept : ranks[rank].kept) {
            if (!which(kept))
                continue;
            Assertion assertion(
                lasting(kept.macro), Catch::SourceLineInfo(lasting(kept.file), kept.line),
                lasting(kept.expression),
                is_skip(kept) ? kept.disposition
                              : kept.disposition & ~Catch::ResultDisposition::Normal);
            assertion.message(kept.type, "rank " + std::to_string(rank) + " of " +
                                             std::to_string(ranks.size()) + ": " + kept.text);
            assertion.complete();
        }
    }
}

} // namespace catch2_detail

/* Runs function(world) in `n` ranks. Their failed assertions, and whatever else a rank fails by,
 * are failures of the current test case. */
template <class Function>
void check_run(int n, Function &&function, const RunOptions &options = {},
               const Catch::SourceLineInfo &place = Catch::SourceLineInfo(__builtin_FILE(),
                                                                          __builtin_LINE())) {
    std::vector<catch2_detail::Rank> ranks(n > 0 ? static_cast<size_t>(n) : 0);
    const RunResult result = run(
        n,
        [&](MPI_Comm world) {
            catch2_detail::calling_rank = &ranks[static_cast<size_t>(thrum_run_rank())];
            try {
                function(world);
            } catch (const catch2_detail::LeaveRank &) {
                /* it has been kept why */
            }
        },
        options);
    catch2_detail::report_if(ranks, std::not_fn(catch2_detail::is_skip));
    catch2_detail::Assertion assertion("check_run", place, "",
                                       Catch::ResultDisposition::ContinueOnFailure);
    if (!result && !run_detail::only_assertions_failed(result.get()))
        assertion.message(Catch::ResultWas::ExplicitFailure, result.text());
    else
        assertion.message(Catch::ResultWas::Ok, "");
    assertion.complete();
    catch2_detail::report_if(ranks, catch2_detail::is_skip); /* ends the test case */
}

} // namespace thrum

/* A place in the program for macros that work in ranks; for all others Catch2's own. */
#define THRUM_CATCH2_PLACE ::Catch::SourceLineInfo(__FILE__, static_cast<std::size_t>(__LINE__))
#undef CATCH_INTERNAL_LINEINFO
#define CATCH_INTERNAL_LINEINFO                                                                    \
    ::thrum::catch2_detail::place_outside_of_ranks(__FILE__, static_cast<std::size_t>(__LINE__))

/* The frame of an assertion: what it does, and what follows if that throws. */
#define THRUM_CATCH2_TRY(macro, text, disposition)                                                 \
    do {                                                                                           \
        ::thrum::catch2_detail::Assertion thrum_assertion(macro, THRUM_CATCH2_PLACE, text,         \
                                                          disposition);                            \
        try {
#define THRUM_CATCH2_CATCH(consequence)                                                            \
    }                                                                                              \
    catch (...) {                                                                                  \
        ::thrum::catch2_detail::pass_end_of_rank();                                                \
        thrum_assertion.consequence;                                                               \
    }                                                                                              \
    thrum_assertion.complete();                                                                    \
    }                                                                                              \
    while (false)
#define THRUM_CATCH2_CALL(...)                                                                     \
    if (thrum_assertion.may_throw()) {                                                             \
        static_cast<void>(__VA_ARGS__);                                                            \
        thrum_assertion.not_thrown();                                                              \
    }

#undef INTERNAL_CATCH_TEST
#undef INTERNAL_CATCH_IF
#undef INTERNAL_CATCH_ELSE
#undef INTERNAL_CATCH_NO_THROW
#undef INTERNAL_CATCH_THROWS
#undef INTERNAL_CATCH_THROWS_AS
#undef INTERNAL_CATCH_THROWS_STR_MATCHES
#undef INTERNAL_CATCH_THROWS_MATCHES
#undef INTERNAL_CHECK_THAT
#undef INTERNAL_CATCH_MSG
#undef INTERNAL_CATCH_INFO
#undef INTERNAL_CATCH_UNSCOPED_INFO
#undef INTERNAL_CATCH_CAPTURE
#define INTERNAL_CATCH_TEST(macro, disposition, ...)                                               \
    THRUM_CATCH2_TRY(macro, #__VA_ARGS__, disposition)                                             \
    thrum_assertion.test(::Catch::Decomposer() <= __VA_ARGS__);                                    \
    THRUM_CATCH2_CATCH(unexpected())
#define INTERNAL_CATCH_IF(macro, disposition, ...)                                                 \
    INTERNAL_CATCH_TEST(macro, disposition, __VA_ARGS__);                                          \
    if (::thrum::catch2_detail::has_passed())
#define INTERNAL_CATCH_ELSE(macro, disposition, ...)                                               \
    INTERNAL_CATCH_TEST(macro, disposition, __VA_ARGS__);                                          \
    if (!::thrum::catch2_detail::has_passed())
#define INTERNAL_CATCH_NO_THROW(macro, disposition, ...)                                           \
    THRUM_CATCH2_TRY(macro, #__VA_ARGS__, disposition)                                             \
    static_cast<void>(__VA_ARGS__);                                                                \
    thrum_assertion.not_thrown_as_expected();                                                      \
    THRUM_CATCH2_CATCH(unexpected())
#define INTERNAL_CATCH_THROWS(macro, disposition, ...)                                             \
    THRUM_CATCH2_TRY(macro, #__VA_ARGS__, disposition)                                             \
    THRUM_CATCH2_CALL(__VA_ARGS__)                                                                 \
    THRUM_CATCH2_CATCH(thrown_as_expected())
#define INTERNAL_CATCH_THROWS_AS(macro, type, disposition, expression)                             \
    THRUM_CATCH2_TRY(macro, #expression ", " #type, disposition)                                   \
    THRUM_CATCH2_CALL(expression)                                                                  \
    }                                                                                              \
    catch (type const &) {                                                                         \
        thrum_assertion.thrown_as_expected();                                                      \
        THRUM_CATCH2_CATCH(unexpected())
#define INTERNAL_CATCH_THROWS_STR_MATCHES(macro, disposition, matcher, ...)                        \
    THRUM_CATCH2_TRY(macro, #__VA_ARGS__ ", " #matcher, disposition)                               \
    THRUM_CATCH2_CALL(__VA_ARGS__)                                                                 \
    THRUM_CATCH2_CATCH(match_thrown(matcher, #matcher))
#define INTERNAL_CATCH_THROWS_MATCHES(macro, type, disposition, matcher, ...)                      \
    THRUM_CATCH2_TRY(macro, #__VA_ARGS__ ", " #type ", " #matcher, disposition)                    \
    THRUM_CATCH2_CALL(__VA_ARGS__)                                                                 \
    }                                                                                              \
    catch (type const &thrum_thrown) {                                                             \
        thrum_assertion.test(THRUM_CATCH2_MATCH(thrum_thrown, matcher, #matcher));                 \
        THRUM_CATCH2_CATCH(unexpected())
#define INTERNAL_CHECK_THAT(macro, matcher, disposition, argument)                                 \
    THRUM_CATCH2_TRY(macro, #argument ", " #matcher, disposition)                                  \
    thrum_assertion.test(THRUM_CATCH2_MATCH(argument, matcher, #matcher));                         \
    THRUM_CATCH2_CATCH(unexpected())
#define INTERNAL_CATCH_MSG(macro, type, disposition, ...)                                          \
    do {                                                                                           \
        ::thrum::catch2_detail::Assertion thrum_assertion(macro, THRUM_CATCH2_PLACE, "",           \
                                                          disposition);                            \
        thrum_assertion.message(                                                                   \
            type,                                                                                  \
            (::thrum::catch2_detail::Text() << __VA_ARGS__ + ::Catch::StreamEndStop()).str());     \
        thrum_assertion.complete();                                                                \
    } while (false)
#define INTERNAL_CATCH_INFO(macro, log)                                                            \
    const ::thrum::catch2_detail::ScopedInfo INTERNAL_CATCH_UNIQUE_NAME(thrum_info)(               \
        macro, THRUM_CATCH2_PLACE, (::thrum::catch2_detail::Text() << log).str())
#define INTERNAL_CATCH_UNSCOPED_INFO(macro, log)                                                   \
    ::thrum::catch2_detail::add_unscoped_info(macro, THRUM_CATCH2_PLACE,                           \
                                              (::thrum::catch2_detail::Text() << log).str())
#define INTERNAL_CATCH_CAPTURE(variable, macro, ...)                                               \
    ::thrum::catch2_detail::Capture variable(macro, THRUM_CATCH2_PLACE, #__VA_ARGS__);             \
    variable.set(__VA_ARGS__)

#ifdef CATCH_CONFIG_PREFIX_ALL
#define THRUM_CATCH2_TEST_CASE CATCH_TEST_CASE
#else
#define THRUM_CATCH2_TEST_CASE TEST_CASE
#endif
#define THRUM_CATCH2_RANKS(function, name, tags, n)                                                \
    static void function(MPI_Comm world);                                                          \
    THRUM_CATCH2_TEST_CASE(name, tags) {                                                           \
        ::thrum::check_run(n, function, {}, THRUM_CATCH2_PLACE);                                   \
    }                                                                                              \
    static void function([[maybe_unused]] MPI_Comm world)

/* A test case whose body runs in `n` ranks: TEST_CASE(name, tags). */
#define MPI_TEST_CASE(name, tags, n)                                                               \
    THRUM_CATCH2_RANKS(INTERNAL_CATCH_UNIQUE_NAME(thrum_ranks_), name, tags, n)

#endif
