// std::regex, random engines and distributions, clocks and conversions with their state in globals.
// ranks: 8 64
#include "torture.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <complex>
#include <numeric>
#include <random>
#include <regex>
#include <string>

static const std::regex pattern("([a-z]+)=([0-9]+)", std::regex::icase);
static std::smatch matches;
static std::string subject = "First=1 second=22 third=333";
static std::mt19937 engine(5489);
static std::normal_distribution<double> normal(0, 1);
static std::minstd_rand simple;
static std::complex<double> rotation(0, 1), position(1, 0);
static std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
static char digits[32];
static std::sregex_iterator walking(subject.begin(), subject.end(), pattern), no_more;

int main(int argc, char **argv) {
    CHECK(walking != no_more && (*walking)[1] == "First" && matches.empty());
    CHECK_EQUAL(engine(), 3499211612u);
    CHECK_EQUAL(simple(), 48271);
    int rank = start(&argc, &argv);
    CHECK_EQUAL(engine(), 581869302u);
    std::string own = "rank=" + std::to_string(rank);
    CHECK(std::regex_match(own, matches, pattern));
    engine.seed(unsigned(rank)), simple.discard(unsigned(rank));
    double drawn = normal(engine);
    let_others_run();
    CHECK(matches[2] == std::to_string(rank) && (++walking, (*walking)[2] == "22"));
    std::mt19937 same{unsigned(rank)};
    std::normal_distribution<double> same_normal(0, 1);
    CHECK(same_normal(same) == drawn && same_normal(same) == normal(engine) && engine == same);
    std::minstd_rand same_simple;
    same_simple.discard(unsigned(rank) + 1);
    CHECK(simple == same_simple);
    for (int i = 0; i < rank; ++i)
        position *= rotation;
    auto [end, error] = std::to_chars(digits, digits + sizeof digits, rank * 1001);
    let_others_run();
    CHECK(position == std::complex<double>(rank % 4 == 0   ? 1
                                           : rank % 4 == 2 ? -1
                                                           : 0,
                                           rank % 4 == 1   ? 1
                                           : rank % 4 == 3 ? -1
                                                           : 0));
    CHECK(error == std::errc() && std::string(digits, end) == std::to_string(rank * 1001));
    CHECK(std::regex_replace(own, pattern, "$2:$1") == std::to_string(rank) + ":rank");
    CHECK(std::chrono::steady_clock::now() >= started);
    return finish();
}
