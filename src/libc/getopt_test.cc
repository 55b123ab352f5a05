// Every random command line is parsed by glibc and by us: same options, same order of the words
// afterwards, same variables after each call, same messages.
#include "libc/getopt.h"

#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace thrum {
namespace {

int flag_value;
const option long_options[] = {{"add", no_argument, nullptr, 'A'},
                               {"append", required_argument, nullptr, 'P'},
                               {"appetite", no_argument, nullptr, 'P'},
                               {"b", no_argument, nullptr, 1000},
                               {"delete", required_argument, nullptr, 'd'},
                               {"create", optional_argument, nullptr, 'c'},
                               {"flag", no_argument, &flag_value, 77},
                               {"verbose", no_argument, nullptr, 'v'},
                               {"verb", no_argument, nullptr, 'v'},
                               {"verbs", no_argument, nullptr, 'v'},
                               {nullptr, 0, nullptr, 0}};
const char *const short_choices[] = {
    "ab:c::v", "+ab:c::v", "-ab:c::v", ":ab:c::v", "+:ab:c:", "-:vb:", "abW;c:", "", "d::", "-"};
const char *const words[] = {
    "-a",      "-b",       "-bfoo",     "-c",         "-cbar",   "-v",       "-avb",
    "-avbx",   "-x",       "-",         "--",         "file",    "other",    "--add",
    "--ad",    "--app",    "--append",  "--append=1", "--appen", "--a",      "--delete",
    "--del=x", "--create", "--create=", "--create=q", "--flag",  "--flag=3", "--verb",
    "--ver",   "--verbo",  "--nope",    "--nope=1",   "-add",    "-delete",  "-W",
    "-Wadd",   "-Wdelete", "-Wflag=1",  "-;",         "-:",      "",         "-append=2",
    "-ver",    "-nope",    "--=",       "-d",         "-flag",   "-create=1"};

enum class Kind { Short, Long, LongOnly };

struct Case {
    Kind kind;
    const char *short_options;
    std::vector<std::string> command_line;
    bool posixly_correct;
    bool quiet;
    int calls_max;
};

// One parser's account of a command line.
template <class Next>
std::string account(const Case &c, const GetoptVariables &v, Next next, FILE *messages) {
    std::vector<std::string> text = c.command_line;
    std::vector<char *> argv;
    for (std::string &word : text)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::ostringstream out;
    *v.optind = 0;
    *v.opterr = !c.quiet;
    *v.optopt = '?';
    flag_value = 0;
    for (int call = 0; call < c.calls_max; ++call) {
        int index = -1;
        int result = next(static_cast<int>(text.size()), argv.data(), &index);
        out << result << " index " << index << " optind " << *v.optind << " optopt " << *v.optopt
            << " optarg " << (*v.optarg ? *v.optarg : "(null)") << " flag " << flag_value << " |";
        for (size_t i = 0; argv[i]; ++i)
            out << " '" << argv[i] << "'";
        out << "\n";
        if (result == -1)
            break;
    }
    std::fflush(messages);
    return out.str();
}

std::string glibc_account(const Case &c, FILE *messages) {
    if (c.posixly_correct)
        ::setenv("POSIXLY_CORRECT", "1", 1);
    FILE *old = stderr;
    stderr = messages;
    std::string text = account(
        c, {&optarg, &optind, &opterr, &optopt},
        [&c](int argc, char **argv, int *index) {
            switch (c.kind) {
            case Kind::Short:
                return ::getopt(argc, argv, c.short_options);
            case Kind::Long:
                return ::getopt_long(argc, argv, c.short_options, long_options, index);
            default:
                return ::getopt_long_only(argc, argv, c.short_options, long_options, index);
            }
        },
        messages);
    stderr = old;
    ::unsetenv("POSIXLY_CORRECT");
    return text;
}

// As glibc's, `position` lives through all parses of a process.
std::string our_account(const Case &c, GetoptPosition &position, FILE *messages) {
    char *argument = nullptr;
    int index = 1, speaks = 1, letter = '?';
    GetoptVariables variables = {&argument, &index, &speaks, &letter};
    return account(
        c, variables,
        [&](int argc, char **argv, int *long_index) {
            GetoptCall call = {c.short_options,   c.kind == Kind::Short ? nullptr : long_options,
                               long_index,        c.kind == Kind::LongOnly,
                               c.posixly_correct, messages};
            return parse_option(position, variables, call, argc, argv);
        },
        messages);
}

std::string describe(const Case &c) {
    std::string text = "kind " + std::to_string(static_cast<int>(c.kind)) + " options \"" +
                       c.short_options + "\" posix " + std::to_string(c.posixly_correct) + ":";
    for (const std::string &word : c.command_line)
        text += " '" + word + "'";
    return text;
}

Case random_case(std::mt19937 &random) {
    Case c;
    c.kind = static_cast<Kind>(random() % 3);
    c.short_options = short_choices[random() % std::size(short_choices)];
    c.posixly_correct = random() % 8 == 0;
    c.quiet = random() % 6 == 0;
    c.calls_max = random() % 10 == 0 ? 2 : 40; // sometimes the program stops early
    c.command_line = {"program"};
    for (size_t n = random() % 9; n > 0; --n)
        c.command_line.push_back(words[random() % std::size(words)]);
    return c;
}

// The list of possibilities is worded differently by different versions of glibc.
std::string without_possibilities(const std::string &text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        result += line.substr(0, line.find("; possibilities")) + "\n";
    return result;
}

TEST(Getopt, AgreesWithGlibcOnRandomCommandLines) {
    const char *given = std::getenv("THRUM_TEST_SEED");
    unsigned seed = given ? static_cast<unsigned>(std::atoi(given)) : std::random_device{}();
    SCOPED_TRACE("THRUM_TEST_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    static GetoptPosition position; // --gtest_repeat goes on where it was, as glibc does
    for (int i = 0; i < 1500; ++i) {
        Case c = random_case(random);
        char *text[2] = {};
        size_t size[2] = {};
        FILE *messages[2] = {open_memstream(&text[0], &size[0]),
                             open_memstream(&text[1], &size[1])};
        std::string theirs = glibc_account(c, messages[0]);
        std::string ours = our_account(c, position, messages[1]);
        std::fclose(messages[0]);
        std::fclose(messages[1]);
        ASSERT_EQ(ours, theirs) << describe(c);
        ASSERT_EQ(without_possibilities(text[1]), without_possibilities(text[0])) << describe(c);
        std::free(text[0]);
        std::free(text[1]);
    }
}

TEST(Getopt, TwoRanksParseTheirCommandLinesInTurns) {
    struct Parse {
        GetoptPosition position;
        char *argument = nullptr;
        int index = 1, speaks = 1, letter = '?';

        int next(int argc, char **argv) {
            GetoptCall call = {"ab:", nullptr, nullptr, false, false, stderr};
            return parse_option(position, {&argument, &index, &speaks, &letter}, call, argc, argv);
        }
    } one, two;

    std::string program = "p", cluster = "-ab", value = "1", other = "-bx";
    char *first[] = {program.data(), cluster.data(), value.data(), nullptr};
    char *second[] = {program.data(), other.data(), nullptr};
    EXPECT_EQ(one.next(3, first), 'a');
    EXPECT_EQ(two.next(2, second), 'b');
    EXPECT_STREQ(two.argument, "x");
    EXPECT_EQ(one.next(3, first), 'b');
    EXPECT_STREQ(one.argument, "1");
    EXPECT_EQ(two.next(2, second), -1);
    EXPECT_EQ(one.next(3, first), -1);
    EXPECT_EQ(one.index, 3);
}

} // namespace
} // namespace thrum
