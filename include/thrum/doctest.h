/* <thrum/doctest.h>: doctest test cases whose body runs in several MPI ranks (docs/testing.md).
 *
 *   MPI_TEST_CASE("the token goes around", 4) {   // 4 ranks
 *       int rank;
 *       MPI_Comm_rank(world, &rank);               // `world` is MPI_COMM_WORLD
 *       CHECK(pass_token(world) == 4);
 *   }
 *
 * doctest's assertions may be made by several threads, and so by ranks: each failure is reported at
 * once, with its rank as information. A REQUIRE leaves the body of its rank; ranks that wait for it
 * are ended, and the report says where they waited. SUBCASE belongs to the thread of the test: use
 * thrum::check_run() inside of it, not SUBCASE inside of ranks. */
#ifndef THRUM_DOCTEST_H
#define THRUM_DOCTEST_H

#include <doctest/doctest.h>
#include <string>
#include <thrum/run.h>

namespace thrum {
namespace doctest_detail {

/* Tells the run which of its ranks has failed an assertion. */
struct Listener : doctest::IReporter {
    explicit Listener(const doctest::ContextOptions &) {}

    void log_assert(const doctest::AssertData &assertion) override {
        if (assertion.m_failed && thrum_run_rank() >= 0)
            thrum_run_fail(THRUM_RANK_ASSERTED,
                           (std::string("failed assertion at ") + assertion.m_file + ":" +
                            std::to_string(assertion.m_line))
                               .c_str());
    }

    void report_query(const doctest::QueryData &) override {}

    void test_run_start() override {}

    void test_run_end(const doctest::TestRunStats &) override {}

    void test_case_start(const doctest::TestCaseData &) override {}

    void test_case_reenter(const doctest::TestCaseData &) override {}

    void test_case_end(const doctest::CurrentTestCaseStats &) override {}

    void test_case_exception(const doctest::TestCaseException &) override {}

    void subcase_start(const doctest::SubcaseSignature &) override {}

    void subcase_end() override {}

    void log_message(const doctest::MessageData &) override {}

    void test_case_skipped(const doctest::TestCaseData &) override {}
};

/* Reports a failure at the beginning of the current test case. */
inline void fail_test(const std::string &text) {
    const doctest::TestCaseData *test = doctest::getContextOptions()->currentTest;
    DOCTEST_ADD_FAIL_CHECK_AT(test ? test->m_file.c_str() : "", test ? test->m_line : 0, text);
}

} // namespace doctest_detail

/* Runs function(world) in `n` ranks. Their failed assertions, and whatever else a rank fails by,
 * are failures of the current test case. */
template <class Function>
void check_run(int n, Function &&function, const RunOptions &options = {}) {
    const RunResult result = run(
        n,
        [&](MPI_Comm world) {
            DOCTEST_INFO("rank ", thrum_run_rank(), " of ", n);
            try {
                function(world);
            } catch (const doctest::detail::TestFailureException &) {
                /* a REQUIRE has failed, and has been reported */
            }
        },
        options);
    if (!result && !run_detail::only_assertions_failed(result.get()))
        doctest_detail::fail_test(result.text());
}

} // namespace thrum

DOCTEST_REGISTER_LISTENER("thrum", 1, ::thrum::doctest_detail::Listener);

#define THRUM_DOCTEST_RANKS(function, name, n)                                                     \
    static void function(MPI_Comm world);                                                          \
    DOCTEST_TEST_CASE(name) {                                                                      \
        ::thrum::check_run(n, function);                                                           \
    }                                                                                              \
    static void function([[maybe_unused]] MPI_Comm world)

/* A test case whose body runs in `n` ranks: TEST_CASE(name). */
#define MPI_TEST_CASE(name, n) THRUM_DOCTEST_RANKS(DOCTEST_ANONYMOUS(thrum_ranks_), name, n)

#endif
