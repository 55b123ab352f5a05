// std::cout and the other streams for programs compiled with --privatize, whose ranks share
// libstdc++. This file is compiled with the pass, and mpicxx --privatize links it into the
// executable before libstdc++'s definitions. So every rank has its own streams, over its own
// stdout.
//
// They always behave as after sync_with_stdio(true), which the C++ standard permits, so nothing is
// buffered twice.
#include <cstdio>
#include <ext/stdio_sync_filebuf.h>
#include <istream>
#include <new>
#include <ostream>

namespace std {

// Storage, as in libstdc++ itself, which Init() fills before anyone can use it. (The declarations
// in <iostream> give them their types.)
#define THRUM_STREAM(type, name) alignas(type) char name[sizeof(type)]
THRUM_STREAM(istream, cin);
THRUM_STREAM(ostream, cout);
THRUM_STREAM(ostream, cerr);
THRUM_STREAM(ostream, clog);
THRUM_STREAM(wistream, wcin);
THRUM_STREAM(wostream, wcout);
THRUM_STREAM(wostream, wcerr);
THRUM_STREAM(wostream, wclog);

} // namespace std

namespace {

int users = 0; // of this rank, like everything below
bool are_open = false;

template <class Stream>
Stream &stream(char *storage) {
    return *reinterpret_cast<Stream *>(storage);
}

// The buffers of the narrow or wide streams. They have no memory of their own: stdio buffers.
template <class C>
struct Buffers {
    using Buffer = __gnu_cxx::stdio_sync_filebuf<C>;
    alignas(Buffer) char in[sizeof(Buffer)];
    alignas(Buffer) char out[sizeof(Buffer)];
    alignas(Buffer) char err[sizeof(Buffer)];

    // Constructs buffers and streams in their storage. They are never destroyed: destructors that
    // run later may still write.
    void open(char *cin, char *cout, char *cerr, char *clog) {
        using Out = std::basic_ostream<C>;
        using In = std::basic_istream<C>;
        auto *source = new (in) Buffer(stdin);
        auto *sink = new (out) Buffer(stdout);
        auto *errors = new (err) Buffer(stderr);
        new (cout) Out(sink);
        new (cin) In(source);
        new (cerr) Out(errors);
        new (clog) Out(errors);
        stream<In>(cin).tie(&stream<Out>(cout));
        stream<Out>(cerr).setf(std::ios_base::unitbuf);
        stream<Out>(cerr).tie(&stream<Out>(cout));
    }
};

Buffers<char> buffers;
Buffers<wchar_t> wide_buffers;

} // namespace

// Opens the streams of the rank, once. A library calls the program's function, because it uses the
// program's streams.
extern "C" void thrum_open_standard_streams() {
    if (are_open)
        return;
    are_open = true;
    buffers.open(std::cin, std::cout, std::cerr, std::clog);
    wide_buffers.open(std::wcin, std::wcout, std::wcerr, std::wclog);
}

#if _GLIBCXX_RELEASE >= 13
// Runs before the other constructors of its module: since GCC 13 the units that include <iostream>
// have no object of the class below, because libstdc++ has one for all.
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"

[[gnu::constructor(90)]] static void open_first() {
    thrum_open_standard_streams();
}
#endif

// Each unit that includes <iostream> has an object of this class, if compiled before GCC 13.
std::ios_base::Init::Init() {
    ++users;
    thrum_open_standard_streams();
}

std::ios_base::Init::~Init() {
    if (--users > 0)
        return;
    for (char *storage : {cout, cerr, clog})
        stream<ostream>(storage).flush();
    for (char *storage : {wcout, wcerr, wclog})
        stream<wostream>(storage).flush();
}

bool std::ios_base::sync_with_stdio(bool) {
    return true;
}
