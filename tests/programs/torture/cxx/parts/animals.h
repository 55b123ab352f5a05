// A class hierarchy that a library implements and a program extends.
#include <stdexcept>
#include <string>

struct Animal {
    static int living;

    Animal() { ++living; }

    Animal(const Animal &) { ++living; }

    virtual ~Animal() { --living; }

    virtual std::string sound() const = 0;
    virtual Animal *clone() const = 0;
};

struct Dog : Animal {
    static int barks;
    std::string sound() const override;
    Animal *clone() const override;
};

struct Refused : std::runtime_error {
    int code;

    Refused(const std::string &what, int c) : std::runtime_error(what), code(c) {}

    ~Refused() override;
};

extern Dog library_dog;
extern int thrown, library_caught;
bool is_dog(const Animal &animal);
[[noreturn]] void refuse(int code);
int call_and_translate(void (*function)(int), int argument);
