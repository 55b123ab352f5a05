// Runs a rank: its directory, constructors, main and exit (rank_lifecycle.h,
// docs/life_of_a_rank.md).
//
// A rank of the program that the process has executed calls that program's main. A rank of another
// program enters it at _start, as the kernel would; _start calls start_loaded_program(), which is
// bound in the place of __libc_start_main.
#include "rank/rank_lifecycle.h"

#include "base/check.h"
#include "base/settings.h"
#include "fiber/stack.h"
#include "fiber/thread_block.h"
#include "image/image.h"
#include "rank/c_library.h"
#include "rank/contained.h"
#include "rank/programs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace thrum {

constinit thread_local jmp_buf *end_of_added_thread = nullptr;

namespace {

Main *program_main = nullptr; // in the originals; each rank calls its image's

// Calls _start as the kernel does: with the arguments on the stack, which is aligned to 16 bytes.
[[noreturn]] void enter(void *start, int argc, char **argv) {
    // argc, argv, 0; no environment: 0; AT_NULL: 0, 0
    size_t words = (static_cast<size_t>(argc) + 6 + 1) & ~size_t{1};
    auto **frame = static_cast<char **>(__builtin_alloca_with_align(words * sizeof(char *), 128));
    std::memset(frame, 0, words * sizeof(char *));
    frame[0] = reinterpret_cast<char *>(static_cast<intptr_t>(argc));
    std::memcpy(frame + 1, argv, static_cast<size_t>(argc) * sizeof(char *));
    __asm__ volatile("mov %0, %%rsp\n\t"
                     "xor %%edx, %%edx\n\t" // no function to register with atexit
                     "xor %%ebp, %%ebp\n\t"
                     "jmp *%1"
                     :
                     : "D"(frame), "a"(start)
                     : "memory");
    __builtin_unreachable();
}

// Gives the rank what its program specification says: the working directory, and variables.
void enter_program(const Rank &rank) {
    if (!rank.specification)
        return;
    const std::string &directory = rank.specification->directory;
    if (!directory.empty() && c_library().change_directory(directory.c_str()) != 0)
        die(2, "cannot change to directory %s of program specification %d: %s", directory.c_str(),
            rank.program, std::strerror(errno));
    for (const std::string &variable : rank.specification->environment)
        if (const size_t equals = variable.find('='); equals != std::string::npos)
            c_library().set_variable(variable.substr(0, equals).c_str(),
                                     variable.c_str() + equals + 1);
}

} // namespace

void choose_main(Main *main) {
    program_main = main;
}

[[noreturn]] int start_loaded_program(Main *main, int, char **, void (*)(), void (*)(), void (*)(),
                                      void *) {
    Rank &rank = current_rank();
    auto [argc, argv] = *rank.libc;
    run_constructors(*rank.image, argc, argv, environment_of(rank));
    c_library().exit_rank(main(argc, argv, environment_of(rank)));
}

[[noreturn]] void live(Rank &rank) {
    set_current_image(rank.image);
    c_library().enter_main_thread(rank);
    enter_program(rank);
    auto [argc, argv] = *rank.libc;
    if (rank.image) {
        if (void *start = entry_point(rank.image))
            enter(start, argc, argv);
        run_constructors(*rank.image, argc, argv, environment_of(rank));
    }
    auto *main = reinterpret_cast<Main *>(reinterpret_cast<uintptr_t>(
        translate(rank.image, reinterpret_cast<const void *>(program_main))));
    c_library().exit_rank(main(argc, argv, environment_of(rank)));
}

void live_on_fiber(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    initialise_tls(rank.image, current_thread_pointer());
    if (rank.contained) {
        live_contained(rank);
        return;
    }
    live(rank);
}

size_t rank_stack_bytes(int ranks) {
    return settings().stack_bytes ? std::max<size_t>(settings().stack_bytes, 16 << 10)
                                  : default_stack_bytes(ranks);
}

} // namespace thrum
