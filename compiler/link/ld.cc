// ld: replaces the linker when mpicc --privatize links (the compiler driver finds it by -B
// DIRECTORY). Runs the real linker, which lists the files that it reads (-t). Then it refuses a
// mixture of privatised and plain objects, or marks the result as whole. Because it replaces the
// linker, it sees temporary objects before they are removed.
#include "objects.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thrum {
namespace {

// What the arguments of the linker say.
struct Invocation {
    std::string output = "a.out";
    bool is_relocatable = false; // ld -r
    bool links = false;          // has input files
};

// Reads only what the check needs. GCC and clang pass long lists of arguments in files ("@file").
void read_arguments(const std::vector<std::string> &arguments, Invocation &invocation) {
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string &a = arguments[i];
        if (a == "-o" && i + 1 < arguments.size())
            invocation.output = arguments[++i];
        else if (a == "-r" || a == "--relocatable" || a == "-i")
            invocation.is_relocatable = true;
        else if (a.rfind("-o", 0) == 0 && a.size() > 2)
            invocation.output = a.substr(2);
        else if (a.size() > 1 && a[0] == '@') {
            std::ifstream file(a.substr(1));
            std::vector<std::string> words;
            for (std::string word; file >> word;)
                words.push_back(word);
            read_arguments(words, invocation);
        } else if (!a.empty() && a[0] != '-')
            invocation.links = true;
    }
}

// Returns whether the path is the file `b`: our own, which must not run itself.
bool is_same_file(const std::string &a, const struct stat &b) {
    struct stat s{};
    return ::stat(a.c_str(), &s) == 0 && s.st_dev == b.st_dev && s.st_ino == b.st_ino;
}

// Returns the next program with our own name: the compiler's own, then PATH's.
std::string find_real_linker(const std::string &name) {
    struct stat self{};
    ::stat("/proc/self/exe", &self);
    for (const char *variable : {"COMPILER_PATH", "PATH"}) {
        const char *list = std::getenv(variable);
        std::stringstream directories(list ? list : "");
        for (std::string directory; std::getline(directories, directory, ':');) {
            std::string path = directory + "/" + name;
            if (!directory.empty() && ::access(path.c_str(), X_OK) == 0 &&
                !is_same_file(path, self))
                return path;
        }
    }
    return "";
}

// Runs the linker and returns its status. Appends its standard output to `lines`.
int run_linker(const std::string &path, char **argv, std::vector<std::string> *lines) {
    int channel[2];
    if (lines && ::pipe(channel) != 0)
        return 1;
    pid_t child = ::fork();
    if (child == 0) {
        if (lines) {
            ::dup2(channel[1], STDOUT_FILENO);
            ::close(channel[0]);
            ::close(channel[1]);
        }
        ::execv(path.c_str(), argv);
        std::perror(path.c_str());
        ::_exit(127);
    }
    if (lines) {
        ::close(channel[1]);
        FILE *in = ::fdopen(channel[0], "r");
        char *line = nullptr;
        size_t capacity = 0;
        for (ssize_t n; (n = ::getline(&line, &capacity, in)) > 0;)
            lines->emplace_back(line, line[n - 1] == '\n' ? n - 1 : n);
        std::free(line);
        std::fclose(in);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Checks what was linked. Removes the output after an error, so that no program is left whose ranks
// would share variables.
int check(const Invocation &invocation, const std::vector<std::string> &lines) {
    std::vector<LinkedObject> objects;
    for (const std::string &line : lines)
        read_linked_objects(line, objects);
    std::string reason = find_mixture(objects);
    if (reason.empty() && !invocation.is_relocatable && !mark_whole(invocation.output))
        reason =
            invocation.output + " was linked without privatized.o: link with mpicc --privatize";
    if (reason.empty())
        return 0;
    std::fprintf(stderr, "mpicc --privatize: %s\n", reason.c_str());
    ::unlink(invocation.output.c_str());
    return 1;
}

// Links first, because only the linker knows which members of archives it takes. Then checks them.
int run(int argc, char **argv) {
    std::string name = argv[0];
    name = name.substr(name.rfind('/') + 1);
    std::string linker = find_real_linker(name);
    if (linker.empty()) {
        std::fprintf(stderr, "mpicc --privatize: no linker %s in COMPILER_PATH or PATH\n",
                     name.c_str());
        return 1;
    }
    Invocation invocation;
    read_arguments({argv + 1, argv + argc}, invocation);
    std::vector<char *> arguments(argv, argv + argc);
    if (!invocation.links) { // --version etc.
        arguments.push_back(nullptr);
        return run_linker(linker, arguments.data(), nullptr);
    }
    char trace[] = "-t"; // twice, because GNU ld then lists members of archives, too
    arguments.insert(arguments.end(), {trace, trace, nullptr});
    std::vector<std::string> lines;
    int status = run_linker(linker, arguments.data(), &lines);
    return status ? status : check(invocation, lines);
}

} // namespace
} // namespace thrum

int main(int argc, char **argv) {
    return thrum::run(argc, argv);
}
