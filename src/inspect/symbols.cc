// Names of addresses, from the symbolize program (symbols.h). The dialogue with it: all questions,
// end of file, all answers. Called in crash handlers, so the child is started by vfork() without
// allocation, and everything has one deadline.
#include "inspect/symbols.h"

#include "base/clock.h"
#include "comm/call_names.h"
#include "inspect/python_line.h"

#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <link.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int64_t answer_limit_ns = 2'000'000'000; // for all answers together
constexpr size_t line_bytes_max = 4096;

char symbolizer[PATH_MAX]; // "": there is none

// A child that answers one question. A socket is both its standard input and output, so that
// writing to a dead child gives an error instead of SIGPIPE.
struct Child {
    pid_t pid = -1;
    int socket = -1;
};

// Executes the program in the child, which shares our memory until then, so it may write none of
// it. All signals are blocked, and their handlers are the parent's until they are reset here.
[[noreturn]] void become_symbolizer(int socket) {
    struct sigaction by_default = {};
    by_default.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)
        ::sigaction(signal, &by_default, nullptr);
    ::setpgid(0, 0); // the terminal's Ctrl-C is not for it
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    if (int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0)
        ::dup2(nowhere, STDERR_FILENO);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    char *argv[] = {symbolizer, nullptr};
    char *environment[] = {nullptr}; // without variables set by mpiexec or the program
    ::execve(symbolizer, argv, environment);
    ::_exit(127);
}

// Starts the child. Avoids posix_spawn(): its file actions are allocated, and the crash may have
// been in malloc.
bool start(Child &child) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    // With signals blocked no handler of the program can run in the child, on the parent's memory.
#ifdef __SANITIZE_ADDRESS__
    // AddressSanitizer's own vfork() clears the shadow of all that lies between the calling
    // thread's stack and the signal stack, on which a crash is described: it writes over the state
    // of others, and takes seconds.
    child.pid = ::_Fork();
#else
    // Not posix_spawn(), see above.
    child.pid = ::vfork(); // NOLINT(bugprone-unsafe-functions)
#endif
    if (child.pid == 0)
        become_symbolizer(pair[1]);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    ::close(pair[1]);
    if (child.pid < 0) {
        ::close(pair[0]);
        return false;
    }
    child.socket = pair[0];
    return true;
}

// Ends the child, also if it has not answered.
void finish(const Child &child) {
    ::close(child.socket);
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
}

// Waits until the socket is ready, or has failed. Returns false at the deadline.
bool wait_for(int socket, short events, int64_t deadline_ns) {
    for (;;) {
        int64_t left_ns = deadline_ns - now_ns();
        if (left_ns <= 0)
            return false;
        pollfd entry{socket, events, 0};
        int ready = ::poll(&entry, 1, static_cast<int>(left_ns / 1'000'000 + 1));
        if (ready > 0)
            return true;
    }
}

bool send_whole(int socket, const char *text, size_t size_bytes, int64_t deadline_ns) {
    while (size_bytes > 0) {
        ssize_t n = ::send(socket, text, size_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            text += n;
            size_bytes -= static_cast<size_t>(n);
        } else if (!wait_for(socket, POLLOUT, deadline_ns)) {
            return false;
        }
    }
    return true;
}

// Splits the bytes from a child into lines, with a buffer of its own and no allocation.
class LineReader {
public:
    LineReader(int socket, int64_t deadline_ns) : socket_(socket), deadline_ns_(deadline_ns) {}

    // Returns the next line without its end, valid until the next call; nullptr after the last.
    char *next() {
        for (;;) {
            char *end = static_cast<char *>(std::memchr(text_ + begin_, '\n', filled_ - begin_));
            if (end) {
                *end = 0;
                char *line = text_ + begin_;
                begin_ = static_cast<size_t>(end + 1 - text_);
                return line;
            }
            std::memmove(text_, text_ + begin_, filled_ - begin_);
            filled_ -= begin_;
            begin_ = 0;
            // A line that is longer than the buffer cannot be valid.
            if (filled_ == sizeof text_ || !wait_for(socket_, POLLIN, deadline_ns_))
                return nullptr;
            ssize_t n = ::recv(socket_, text_ + filled_, sizeof text_ - filled_, 0);
            if (n <= 0)
                return nullptr;
            filled_ += static_cast<size_t>(n);
        }
    }

private:
    int socket_;
    int64_t deadline_ns_;
    size_t begin_ = 0;
    size_t filled_ = 0;
    char text_[line_bytes_max];
};

// Copies a field of an answer, unless it is missing or "??" (unknown).
void copy_field(char *to, size_t size_bytes, const char *from) {
    if (from && std::strcmp(from, "??") != 0)
        std::snprintf(to, size_bytes, "%s", from);
}

// Parses an answer: function, place and callers into which it was inlined, separated by tabs.
void read_answer(Symbol &symbol, char *line) {
    char *place = std::strchr(line, '\t');
    if (place)
        *place++ = 0;
    char *inlined_into = place ? std::strchr(place, '\t') : nullptr;
    if (inlined_into)
        *inlined_into++ = 0;
    copy_field(symbol.function, sizeof symbol.function, line);
    copy_field(symbol.place, sizeof symbol.place, place);
    copy_field(symbol.inlined_into, sizeof symbol.inlined_into, inlined_into);
}

// Returns whether the symbol is a place in a file whose function is not known yet.
bool needs_symbolizer(const Symbol &symbol) {
    return symbol.location.path && !symbol.function[0];
}

// Sends one line for each address that lies in a file: path and offset. Others get no answer.
bool ask(const Child &child, const Symbol *symbols, size_t count, int64_t deadline_ns) {
    for (size_t i = 0; i < count; ++i) {
        if (!needs_symbolizer(symbols[i]))
            continue;
        char line[line_bytes_max + 32];
        int n = std::snprintf(line, sizeof line, "%.*s %lx\n", static_cast<int>(line_bytes_max),
                              symbols[i].location.path, symbols[i].location.offset);
        if (!send_whole(child.socket, line, static_cast<size_t>(n), deadline_ns))
            return false;
    }
    return ::shutdown(child.socket, SHUT_WR) == 0;
}

const char *file_name(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool is_program(const char *path) {
    return ::access(path, X_OK) == 0;
}

} // namespace

// Runs at start-up, because a signal handler must not call realpath().
void find_symbolizer() {
    Dl_info info;
    char library[PATH_MAX];
    symbolizer[0] = 0;
    if (!::dladdr(reinterpret_cast<void *>(&find_symbolizer), &info) || !info.dli_fname ||
        !::realpath(info.dli_fname, library))
        return;
    // The library is in lib/, or in a multi-architecture lib/x86_64-linux-gnu/.
    for (const char *prefix : {"../", "../../"}) {
        char *slash = std::strrchr(library, '/');
        std::snprintf(symbolizer, sizeof symbolizer, "%.*s/%slibexec/thrum/symbolize",
                      static_cast<int>(slash - library), library, prefix);
        if (is_program(symbolizer))
            return;
    }
    symbolizer[0] = 0;
}

// Knows the clones first: for the dynamic linker their addresses belong to no object.
Location find_location(const void *address) {
    for (Location (*find)(const void *) : {find_python_location, locate})
        if (const Location location = find(address); location.path)
            return location;
    Location location;
    Dl_info info;
    if (::dladdr(address, &info) && info.dli_fname && info.dli_fname[0]) {
        location.path = info.dli_fname;
        location.offset =
            reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.dli_fbase);
    }
    return location;
}

void symbolize(Symbol *symbols, size_t count) {
    for (size_t i = 0; i < count; ++i)
        symbols[i].location = find_location(symbols[i].address);
    symbolize_located(symbols, count);
}

// Names that cannot be found in time stay addresses: the report does not wait for the symbolizer.
void symbolize_located(Symbol *symbols, size_t count) {
    size_t asked = 0;
    for (size_t i = 0; i < count; ++i) {
        Symbol &symbol = symbols[i];
        if (!read_python_location(symbol.location, symbol.function, sizeof symbol.function,
                                  symbol.place, sizeof symbol.place))
            asked += needs_symbolizer(symbol);
    }
    Child child;
    if (!asked || !symbolizer[0] || !start(child))
        return;
    int64_t deadline_ns = now_ns() + answer_limit_ns;
    if (ask(child, symbols, count, deadline_ns)) {
        LineReader reader(child.socket, deadline_ns);
        for (size_t i = 0; i < count; ++i) {
            if (!needs_symbolizer(symbols[i]))
                continue;
            char *line = reader.next();
            if (!line)
                break;
            read_answer(symbols[i], line);
        }
    }
    finish(child);
}

// The path and the offset are those of the file, so all clones have the same. A place in no file is
// its address.
uint64_t number_of_call_site(const void *call_site) {
    const Location location = find_location(call_site);
    uint64_t number = location.path ? location.offset : reinterpret_cast<uintptr_t>(call_site);
    for (const char *c = location.path; c && *c; ++c)
        number = (number ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
    return number;
}

namespace {

constexpr int offset_bits = 32; // of a code; the rest is a hash of the path

constexpr uint64_t code_of_path(const char *path) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *c = path; *c; ++c)
        hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
    constexpr int hash_bits = call_code_bits - offset_bits;
    return hash >> (64 - hash_bits) << offset_bits;
}

// Stands for the path of all lines of Python.
constexpr uint64_t python_code = code_of_path("python");

// What a code is looked up by.
struct CodedPlace {
    uint64_t path, offset;
    const void *call_site = nullptr;
};

// Looks whether the place is in this object, as dl_iterate_phdr() passes it.
int find_in_object(dl_phdr_info *object, size_t, void *argument) {
    auto &place = *static_cast<CodedPlace *>(argument);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto &segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || place.offset - segment.p_vaddr >= segment.p_memsz)
            continue;
        const auto *address = reinterpret_cast<const void *>(object->dlpi_addr + place.offset);
        const Location location = locate(address);
        if (location.path && code_of_path(location.path) == place.path)
            place.call_site = address;
    }
    return place.call_site ? 1 : 0;
}

} // namespace

uint64_t code_of_call_site(const void *call_site) {
    if (const uint32_t line = number_of_python_line(call_site))
        return python_code | line;
    const Location location = locate(call_site);
    if (!location.path || location.offset >> offset_bits)
        return 0;
    return code_of_path(location.path) | location.offset;
}

const void *call_site_of_code(uint64_t code) {
    constexpr uint64_t offset_mask = (uint64_t{1} << offset_bits) - 1;
    CodedPlace place{code & ~offset_mask, code & offset_mask};
    if (place.path == python_code)
        return call_site_of_python_line(static_cast<uint32_t>(place.offset));
    ::dl_iterate_phdr(find_in_object, &place);
    return place.call_site;
}

// The more is known, the less is shown: a source line makes file and offset superfluous.
const char *symbol_text(const Symbol &symbol, char *buffer, size_t size_bytes) {
    const Location &location = symbol.location;
    if (symbol.function[0] && symbol.place[0])
        std::snprintf(buffer, size_bytes, "%s (%s)", symbol.function, symbol.place);
    else if (symbol.function[0] && location.path)
        std::snprintf(buffer, size_bytes, "%s (%s)", symbol.function, file_name(location.path));
    else if (location.path)
        std::snprintf(buffer, size_bytes, "%s+0x%lx", file_name(location.path), location.offset);
    else
        std::snprintf(buffer, size_bytes, "0x%lx", reinterpret_cast<unsigned long>(symbol.address));
    return buffer;
}

const char *place_text(const Symbol &symbol, char *buffer, size_t size_bytes) {
    if (!symbol.function[0] || !symbol.place[0])
        return symbol_text(symbol, buffer, size_bytes);
    std::snprintf(buffer, size_bytes, "%s in %s", symbol.place, symbol.function);
    return buffer;
}

// The return address is decremented, so that it is inside the call.
const char *describe_call_site(const void *call_site, char *buffer, size_t size_bytes) {
    Symbol symbol;
    symbol.address = static_cast<const char *>(call_site) - 1;
    symbolize(&symbol, 1);
    return place_text(symbol, buffer, size_bytes);
}

} // namespace thrum
