#include "animals.h"

#include <typeinfo>

int Animal::living = 0;
int Dog::barks = 10;
Dog library_dog;
int thrown, library_caught;

std::string Dog::sound() const {
    return "bark " + std::to_string(++barks);
}

Animal *Dog::clone() const {
    return new Dog(*this);
}

Refused::~Refused() = default;

bool is_dog(const Animal &animal) {
    return dynamic_cast<const Dog *>(&animal) != nullptr && typeid(animal) == typeid(Dog);
}

void refuse(int code) {
    ++thrown;
    throw Refused("refused with code " + std::to_string(code), code);
}

int call_and_translate(void (*function)(int), int argument) {
    try {
        function(argument);
    } catch (const Refused &refused) {
        ++library_caught;
        return refused.code;
    } catch (...) {
        ++library_caught;
        throw;
    }
    return -1;
}
