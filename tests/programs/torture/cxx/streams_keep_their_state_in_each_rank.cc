// iostreams: flags, precision, fill, exception masks, tied and redirected buffers, string streams,
// iword.
// ranks: 8 64
// expect: ^rank 3: 0x003 3\.142
#include "torture.h"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <streambuf>

static std::ostringstream log_stream;
static std::istringstream input("1 2 3 4");
static std::ostream &reference = std::cout;
static std::ostream *pointer = &std::cerr;
static const int slot = std::ios_base::xalloc();
static int overflows;

class Counting : public std::streambuf {
public:
    std::string written;

protected:
    int_type overflow(int_type c) override {
        ++overflows;
        written += char(c);
        return c;
    }
};

static Counting counting;

static std::ostream &shout(std::ostream &os) {
    return os << std::uppercase << std::showbase;
}

int main(int argc, char **argv) {
    CHECK(&reference == &std::cout && pointer == &std::cerr && std::cout.precision() == 6);
    CHECK(std::cout.flags() == (std::ios::skipws | std::ios::dec) && overflows == 0);
    int rank = start(&argc, &argv);
    std::cout.precision(rank % 10 + 1), std::cerr.fill(char('a' + rank % 26));
    std::cout.iword(slot) = rank;
    if (rank & 1)
        std::cout << std::hex << shout;
    let_others_run();
    CHECK(std::cout.precision() == rank % 10 + 1 && std::cerr.fill() == 'a' + rank % 26);
    CHECK(std::cout.iword(slot) == rank &&
          bool(std::cout.flags() & std::ios::hex) == bool(rank & 1));
    int a = 0, b = 0;
    input >> a;
    let_others_run();
    input >> b;
    CHECK(a == 1 && b == 2);
    log_stream << "rank " << rank << std::setw(6) << 3.5 << '\n';
    auto *before = std::cout.rdbuf(&counting);
    std::cout << "to the counting buffer";
    let_others_run();
    std::cout.rdbuf(before);
    CHECK(overflows == 22 && counting.written == "to the counting buffer");
    CHECK(log_stream.str() == "rank " + std::to_string(rank) + "   3.5\n");
    std::cin.exceptions(std::ios::badbit);
    std::cin.setstate(std::ios::eofbit);
    let_others_run();
    CHECK(std::cin.exceptions() == std::ios::badbit && std::cin.eof() && !std::cout.bad());
    std::cout << std::dec << "rank " << rank << ": 0x" << std::setw(3) << std::setfill('0') << rank
              << ' ' << std::fixed << std::setprecision(3) << 3.14159 << std::endl;
    return finish();
}
