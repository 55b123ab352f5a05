// Plug-ins in C++: classes, exceptions, run-time types and inline variables across their border,
// static objects whose constructors wait for other ranks, thread-local objects, threads that call
// MPI.
// ranks: 1 2 8
// plugin: thrower
// link: -rdynamic
#include "check.h"
#include "plugins/thrower.h"

#include <cstring>
#include <dlfcn.h>
#include <iostream>
#include <memory>
#include <vector>

std::vector<std::string> program_log;
static int rank, size;

static void fail(int depth) {
    throw Complaint("from the program at " + std::to_string(depth));
}

template <class F>
static F *find(void *handle, const char *name) {
    return reinterpret_cast<F *>(dlsym(handle, name));
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *handle = dlopen("libthrower.so", RTLD_NOW);
    if (!handle)
        std::cerr << dlerror() << "\n";
    CHECK(handle != nullptr);
    CHECK_EQUAL(program_log.size(), 1);
    CHECK(program_log[0] == "constructed " + std::to_string(size * (size - 1) / 2));
    auto *make = find<MakeAnimal>(handle, "make_animal");
    for (int i = 0; i <= rank; ++i) {
        std::unique_ptr<Animal> animal(make(("dog " + std::to_string(rank)).c_str()));
        CHECK(animal->speak() == "dog " + std::to_string(rank) + " barks");
        CHECK(dynamic_cast<Animal *>(animal.get()));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(Animal::made, rank + 1);
    try {
        make("");
        CHECK(false);
    } catch (const Complaint &c) {
        CHECK(!std::strcmp(c.what(), "no name among 2"));
    }
    auto *through = find<CallThrough>(handle, "call_through");
    for (int i = 0; i < 5; ++i)
        try {
            through(10, fail, rank);
            CHECK(false);
        } catch (const std::runtime_error &e) {
            CHECK("from the program at " + std::to_string(rank) == e.what());
            MPI_Barrier(MPI_COMM_WORLD); // with a live exception
        }
    CHECK(find<ThreadText>(handle, "thread_text")() == "of a thread");
    CHECK_EQUAL(find<InThread>(handle, "in_thread")(), rank);
    CHECK_EQUAL(program_log.size(), 2);
    CHECK(program_log[1] == "thread of " + std::to_string(rank));
    find<ThreadText>(handle, "thread_text")() = "of main";
    // It has thread-local objects of this thread: dlclose leaves it loaded.
    CHECK_EQUAL(dlclose(handle), 0);
    CHECK_EQUAL(program_log.size(), 2);
    CHECK(dlopen("libthrower.so", RTLD_NOW | RTLD_NOLOAD) == handle);
    CHECK(find<ThreadText>(handle, "thread_text")() == "of main");
    MPI_Finalize();
    return 0;
}
