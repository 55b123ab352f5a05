#include "shapes.h"

std::vector<std::string> shape_log{"library loaded"};
static thread_local std::string thread_text = "fresh";

Shape::~Shape() = default;

Square::Square(double side_length) : side(side_length) {
    ++made;
    ++instances_of<Square>();
}

double Square::area() const {
    return side * side;
}

Failure::Failure(const std::string &what, int number) : std::runtime_error(what), rank(number) {}

Failure::~Failure() = default;

Shape *make_square(double side_length) {
    return new Square(side_length);
}

void call_through(int depth, void (*function)(int), int argument) {
    std::string needs_cleanup = "cleaned up on the way";
    if (depth > 0)
        call_through(depth - 1, function, argument);
    else
        function(argument);
    shape_log.push_back(needs_cleanup);
}

void throw_failure(int rank) {
    throw Failure("from the library", rank);
}

int count_from_the_library() {
    return instances_of<Square>();
}

std::string &library_thread_text() {
    return thread_text;
}
