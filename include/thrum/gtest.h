/* <thrum/gtest.h>: GoogleTest tests whose body runs in several MPI ranks (docs/testing.md).
 *
 *   MPI_TEST(Ring, PassesTheToken, 4) {       // 4 ranks
 *       int rank;
 *       MPI_Comm_rank(world, &rank);           // `world` is MPI_COMM_WORLD
 *       EXPECT_EQ(pass_token(world), 4);
 *   }
 *
 * An assertion that fails in a rank is kept there, and reported by the test itself when all ranks
 * have ended, with its file and line and the number of the rank. An ASSERT_ leaves the body of its
 * rank, as in any test; ranks that wait for it are ended, and the report says where they waited.
 * GTEST_SKIP() works as well. SCOPED_TRACE() is each rank's own. HasFailure() and the like see the
 * failures of ranks only after the run. */
#ifndef THRUM_GTEST_H
#define THRUM_GTEST_H

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <string>
#include <thrum/run.h>
#include <vector>

namespace thrum {
namespace gtest_detail {

inline std::string place_of(const testing::TestPartResult &part) {
    return std::string(part.file_name() ? part.file_name() : "unknown file") + ":" +
           std::to_string(part.line_number());
}

/* Keeps the assertions of the calling rank. */
class Reporter : public testing::ScopedFakeTestPartResultReporter {
public:
    explicit Reporter(testing::TestPartResultArray *parts)
        : ScopedFakeTestPartResultReporter(INTERCEPT_ONLY_CURRENT_THREAD, parts) {}

    void ReportTestPartResult(const testing::TestPartResult &part) override {
        ScopedFakeTestPartResultReporter::ReportTestPartResult(part);
        if (part.failed())
            thrum_run_fail(THRUM_RANK_ASSERTED, ("failed assertion at " + place_of(part)).c_str());
    }
};

/* Reports what a rank has kept, on the thread of the test. */
inline void report(const testing::TestPartResultArray &parts, int rank, int n) {
    const std::string who = "rank " + std::to_string(rank) + " of " + std::to_string(n) + ": ";
    for (int i = 0; i < parts.size(); ++i) {
        const testing::TestPartResult &part = parts.GetTestPartResult(i);
        if (!part.passed())
            testing::internal::AssertHelper(part.skipped()
                                                ? testing::TestPartResult::kSkip
                                                : testing::TestPartResult::kNonFatalFailure,
                                            part.file_name(), part.line_number(),
                                            (who + part.message()).c_str()) = testing::Message();
    }
}

/* Reports a failure at the beginning of the current test. */
inline void fail_test(const std::string &text) {
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    ADD_FAILURE_AT(test ? test->file() : "", test ? test->line() : 0) << text;
}

} // namespace gtest_detail

/* Runs function(world) in `n` ranks. Their failed assertions, and whatever else a rank fails by,
 * are failures of the current test. */
template <class Function>
void test_run(int n, Function &&function, const RunOptions &options = {}) {
    std::vector<testing::TestPartResultArray> parts(n > 0 ? static_cast<size_t>(n) : 0);
    const RunResult result = run(
        n,
        [&](MPI_Comm world) {
            gtest_detail::Reporter reporter(&parts[static_cast<size_t>(thrum_run_rank())]);
            function(world);
        },
        options);
    for (int rank = 0; rank < result->n_ranks; ++rank)
        gtest_detail::report(parts[static_cast<size_t>(rank)], rank, n);
    if (!result && !run_detail::only_assertions_failed(result.get()))
        gtest_detail::fail_test(result.text());
}

} // namespace thrum

/* A test whose body runs in `n` ranks: TEST(suite, name). */
#define MPI_TEST(suite, name, n)                                                                   \
    static void thrum_ranks_of_##suite##_##name(MPI_Comm world);                                   \
    TEST(suite, name) {                                                                            \
        ::thrum::test_run(n, thrum_ranks_of_##suite##_##name);                                     \
    }                                                                                              \
    static void thrum_ranks_of_##suite##_##name([[maybe_unused]] MPI_Comm world)

/* The same with a fixture: TEST_F(fixture, name). All ranks use the one object. */
#define MPI_TEST_F(fixture, name, n)                                                               \
    class thrum_ranks_of_##fixture##_##name : public fixture {                                     \
    protected:                                                                                     \
        void run_rank(MPI_Comm world);                                                             \
    };                                                                                             \
    GTEST_TEST_(fixture, name, thrum_ranks_of_##fixture##_##name,                                  \
                ::testing::internal::GetTypeId<fixture>()) {                                       \
        ::thrum::test_run(n, [this](MPI_Comm world) { run_rank(world); });                         \
    }                                                                                              \
    void thrum_ranks_of_##fixture##_##name::run_rank([[maybe_unused]] MPI_Comm world)

#endif
