#include "thrower.h"

#include <mpi.h>

#include <iostream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

extern std::vector<std::string> program_log; // the program's

namespace {

struct Dog : Animal {
    explicit Dog(const char *n) : name(n) {
        ++made;
        ++instances_of<Dog>();
    }

    std::string speak() const override { return name + " barks"; }

    std::string name;
};

struct Guard {
    Guard() {
        // Waits for other ranks, which are in their constructors, too.
        int rank = -1, sum = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        program_log.push_back("constructed " + std::to_string(sum));
    }

    ~Guard() { program_log.push_back("destroyed"); }
};

std::map<std::string, int> table{{"one", 1}, {"two", 2}};
Guard guard;

struct Logged {
    std::string text = "of a thread";

    ~Logged() { program_log.push_back(text); }
};

thread_local Logged logged;

} // namespace

extern "C" Animal *make_animal(const char *name) {
    if (!*name)
        throw Complaint("no name among " + std::to_string(table.size()));
    return new Dog(name);
}

extern "C" void call_through(int depth, void (*function)(int), int argument) {
    std::string local = "unwound";
    if (depth == 0)
        function(argument);
    else
        call_through(depth - 1, function, argument);
}

extern "C" std::string &thread_text() {
    return logged.text;
}

extern "C" int in_thread() {
    int rank = -1;
    std::thread([&] {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        try {
            make_animal("");
        } catch (const Complaint &) {
            std::ostringstream out;
            out << "thread of " << rank;
            logged.text = out.str();
        }
    }).join();
    return rank;
}
