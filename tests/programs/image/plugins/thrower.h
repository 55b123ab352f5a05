// Shared by the program and the plug-in of plugins_cxx.cc.
#pragma once
#include <stdexcept>
#include <string>

struct Animal {
    virtual ~Animal() = default;
    virtual std::string speak() const = 0;
    static inline int made = 0; // one for program and plug-ins of a rank: STB_GNU_UNIQUE
};

template <class T>
int &instances_of() {
    static int count = 0;
    return count;
}

struct Complaint : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using MakeAnimal = Animal *(const char *name);
using CallThrough = void(int depth, void (*function)(int), int argument);
using ThreadText = std::string &();
using InThread = int();
