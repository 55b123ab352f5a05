// A C++ library with classes that cross its border (tests/programs/image/cxx_program.cc).
#ifndef SHAPES_H
#define SHAPES_H
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape();
    virtual double area() const = 0;
    static inline int made = 0; // one per rank: STB_GNU_UNIQUE
};

struct Square : Shape {
    explicit Square(double side_length);
    double area() const override;
    double side;
};

struct Failure : std::runtime_error {
    Failure(const std::string &what, int number);
    ~Failure() override;
    int rank;
};

template <class T>
int &instances_of() {
    static int count = 0; // a local of an inline function: STB_GNU_UNIQUE
    return count;
}

extern std::vector<std::string> shape_log; // constructed by the library, used by the program
Shape *make_square(double side_length);
// Calls `function` from within the library; what it throws passes through the library's frames.
void call_through(int depth, void (*function)(int), int argument);
void throw_failure(int rank);
int count_from_the_library();
std::string &library_thread_text();
#endif
