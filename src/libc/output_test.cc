#include "libc/output.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// The other end of the descriptor that the streams write to.
class Sink {
public:
    Sink() {
        char name[] = "/tmp/thrum-output-XXXXXX";
        descriptor_ = ::mkstemp(name);
        path_ = name;
    }

    ~Sink() {
        ::close(descriptor_);
        ::unlink(path_.c_str());
    }

    int descriptor() const { return descriptor_; }

    std::string text() const {
        std::ifstream file(path_);
        std::stringstream all;
        all << file.rdbuf();
        return all.str();
    }

private:
    int descriptor_;
    std::string path_;
};

void print(OutputStream &stream, const std::string &text) {
    ASSERT_EQ(stream.write(text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

std::string directory() {
    char name[] = "/tmp/thrum-output-dir-XXXXXX";
    return ::mkdtemp(name);
}

std::string contents(const std::string &path) {
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

TEST(OutputStream, KeepsAnUnfinishedLineUntilItsNewline) {
    set_output_format({});
    Sink sink;
    OutputStream stream;
    stream.open(sink.descriptor(), 0);
    print(stream, "one ");
    print(stream, "line");
    EXPECT_EQ(sink.text(), "");
    print(stream, "\nand ");
    EXPECT_EQ(sink.text(), "one line\n");
    EXPECT_TRUE(stream.flush());
    EXPECT_EQ(sink.text(), "one line\nand ");
}

TEST(OutputStream, FinishesTheLineOfAnotherRankBeforeItWritesItsOwn) {
    set_output_format({});
    Sink sink;
    OutputStream first, second;
    first.open(sink.descriptor(), 0);
    second.open(sink.descriptor(), 1);
    print(first, "question: ");
    first.flush();
    print(second, "line of rank 1\n");
    print(first, "answer\n");
    EXPECT_EQ(sink.text(), "question: \nline of rank 1\nanswer\n");
}

TEST(OutputStream, LinesOfManyRanksStayWholeWhateverTheirPieces) {
    constexpr int ranks = 8, lines = 400;
    const char *given = std::getenv("THRUM_TEST_SEED");
    unsigned seed = given ? static_cast<unsigned>(std::atoi(given)) : std::random_device{}();
    SCOPED_TRACE("THRUM_TEST_SEED=" + std::to_string(seed));
    set_output_format({});
    Sink sink;
    std::vector<OutputStream> streams(ranks);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        streams[rank].open(sink.descriptor(), rank);
        threads.emplace_back([&, rank] {
            std::mt19937 random(seed + static_cast<unsigned>(rank));
            std::string text;
            for (int i = 0; i < lines; ++i)
                text += std::to_string(rank) + " " + std::to_string(i) + " " +
                        std::string(random() % 200, static_cast<char>('a' + rank)) + "\n";
            for (size_t at = 0; at < text.size();) {
                size_t n = std::min<size_t>(1 + random() % 300, text.size() - at);
                print(streams[rank], text.substr(at, n));
                at += n;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    std::istringstream all(sink.text());
    std::map<int, int> next;
    for (std::string line; std::getline(all, line);) {
        std::istringstream words(line);
        int rank = -1, number = -1;
        std::string filling, more;
        words >> rank >> number >> filling;
        ASSERT_TRUE(rank >= 0 && rank < ranks) << line;
        ASSERT_EQ(number, next[rank]) << line; // order within a rank
        ++next[rank];
        ASSERT_EQ(filling.find_first_not_of(static_cast<char>('a' + rank)), std::string::npos);
        ASSERT_FALSE(words >> more) << line;
    }
    for (int rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(next[rank], lines);
}

TEST(OutputStream, PrefixesEachLineOnceAlignedToTheNumberOfRanks) {
    set_output_format({.prefix = true, .rank_count = 100});
    Sink sink;
    OutputStream stream;
    stream.open(sink.descriptor(), 7);
    print(stream, "a\nb\nc");
    stream.flush();
    print(stream, "c\n");
    set_output_format({});
    EXPECT_EQ(sink.text(), "[ 7] a\n[ 7] b\n[ 7] cc\n");
}

TEST(OutputStream, WritesAFilePerRankAndStream) {
    std::string where = directory() + "/made";
    set_output_format({.directory = where.c_str(), .rank_count = 11});
    for (int rank : {0, 10}) {
        OutputStream out, err;
        out.open(STDOUT_FILENO, rank);
        err.open(STDERR_FILENO, rank);
        print(out, "out " + std::to_string(rank) + "\n");
        print(err, "err\n");
        print(out, "more\n");
    }
    set_output_format({});
    EXPECT_EQ(contents(where + "/rank.00.out"), "out 0\nmore\n");
    EXPECT_EQ(contents(where + "/rank.10.out"), "out 10\nmore\n");
    EXPECT_EQ(contents(where + "/rank.10.err"), "err\n");
    std::system(("rm -r " + where).c_str());
}

TEST(OutputStream, TenThousandFilesNeedFewDescriptors) {
    constexpr int ranks = 10'000;
    rlimit before, few = {400, 400};
    getrlimit(RLIMIT_NOFILE, &before);
    few.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_NOFILE, &few);
    std::string where = directory();
    set_output_format({.directory = where.c_str(), .rank_count = ranks});
    std::vector<OutputStream> streams(ranks);
    for (const char *text : {"one\n", "two\n"})
        for (int rank = 0; rank < ranks; ++rank) {
            streams[rank].open(STDOUT_FILENO, rank);
            print(streams[rank], text);
        }
    set_output_format({});
    setrlimit(RLIMIT_NOFILE, &before);
    for (int rank : {0, 300, 9999}) {
        char name[32];
        std::snprintf(name, sizeof name, "/rank.%04d.out", rank);
        EXPECT_EQ(contents(where + name), "one\ntwo\n");
    }
    std::system(("rm -r " + where).c_str());
}

TEST(OutputStream, ARedirectedStreamWritesToItsFileAndComesBack) {
    set_output_format({});
    Sink sink, file;
    OutputStream stream;
    stream.open(sink.descriptor(), 0);
    print(stream, "before\n");
    stream.redirect(::dup(file.descriptor()));
    print(stream, "to the file\n");
    stream.redirect(-1);
    print(stream, "after\n");
    EXPECT_EQ(sink.text(), "before\nafter\n");
    EXPECT_EQ(file.text(), "to the file\n");
}

TEST(OutputStream, AtATerminalRankZeroAsksBeforeItsNewline) {
    set_output_format({});
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = ::open(ptsname(master), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal, 0);
    ::fcntl(master, F_SETFL, O_NONBLOCK);
    OutputStream zero, one;
    zero.open(terminal, 0);
    one.open(terminal, 1);
    EXPECT_TRUE(zero.is_terminal());
    print(one, "kept");
    print(zero, "Name? ");
    char text[64];
    EXPECT_EQ(
        std::string(text, static_cast<size_t>(std::max<ssize_t>(::read(master, text, 64), 0))),
        "Name? ");
    ::close(terminal);
    ::close(master);
    set_output_format({});
}

TEST(OutputStream, AClosedPipeEndsTheProcessQuietlyWithSigpipesCode) {
    set_output_format({});
    EXPECT_EXIT(
        {
            ::signal(SIGPIPE, SIG_IGN);
            int ends[2];
            if (::pipe(ends) != 0)
                ::_exit(1);
            ::close(ends[0]);
            OutputStream stream;
            stream.open(ends[1], 0);
            stream.write("nobody reads this\n", 18);
            ::_exit(2);
        },
        testing::ExitedWithCode(141), "^$");
}

TEST(OutputStream, AClosedStreamTakesNothing) {
    Sink sink;
    OutputStream stream;
    stream.open(sink.descriptor(), 0);
    stream.close();
    EXPECT_EQ(stream.write("x\n", 2), -1);
    EXPECT_EQ(errno, EBADF);
}

TEST(OutputStream, WaitsForASlowReaderOfANonBlockingPipe) {
    set_output_format({});
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
    std::string text = std::string(300'000, 'x') + "\n", received;
    std::thread reader([&] {
        char buffer[4096];
        while (received.size() < text.size()) {
            ssize_t n = ::read(ends[0], buffer, sizeof buffer);
            if (n > 0)
                received.append(buffer, static_cast<size_t>(n));
            else
                ::usleep(1000);
        }
    });
    OutputStream stream;
    stream.open(ends[1], 0);
    print(stream, text);
    reader.join();
    EXPECT_EQ(received, text);
    ::close(ends[0]);
    ::close(ends[1]);
}

} // namespace
} // namespace thrum
