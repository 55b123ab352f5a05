// Virtual tables, dynamic_cast and typeid of classes of a library and of the program.
// ranks: 8 64
// library: animals.cc
#include "parts/animals.h"
#include "torture.h"

#include <memory>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

static int meows = 20;

struct Cat : Animal {
    std::string sound() const override { return "meow " + std::to_string(++meows); }

    Animal *clone() const override { return new Cat; }
};

struct Puppy final : Dog {
    std::string sound() const override { return "yap, " + Dog::sound(); }
};

static Cat cat;
static Puppy puppy;
static Animal *const zoo[] = {&cat, &library_dog, &puppy};
static std::unordered_map<std::type_index, int> visits = {{typeid(Cat), 1}, {typeid(Dog), 2}};
static std::string (Animal::*member)() const = &Animal::sound;
static std::unique_ptr<Animal> cloned;

int main(int argc, char **argv) {
    CHECK(Animal::living == 3 && Dog::barks == 10 && is_dog(library_dog) && !is_dog(cat) &&
          !is_dog(puppy));
    CHECK((zoo[0]->*member)() == "meow 21" && zoo[2]->sound() == "yap, bark 11");
    int rank = start(&argc, &argv);
    Dog::barks = rank, meows = 2 * rank;
    for (int i = 1; i < 4; ++i) {
        cloned.reset(zoo[(rank + i) % 2]->clone());
        const Animal &now = *cloned;
        visits[typeid(now)] += rank;
        let_others_run();
        CHECK_EQUAL(Animal::living, 4);
        CHECK((dynamic_cast<Cat *>(cloned.get()) != nullptr) == ((rank + i) % 2 == 0));
        CHECK(zoo[1]->sound() == "bark " + std::to_string(rank + 2 * i - 1));
        CHECK(zoo[2]->sound() == "yap, bark " + std::to_string(rank + 2 * i));
        CHECK(zoo[0]->sound() == "meow " + std::to_string(2 * rank + i));
        CHECK(dynamic_cast<Dog *>(zoo[2]) == &puppy && !dynamic_cast<Cat *>(zoo[1]));
    }
    CHECK_EQUAL(visits[typeid(Cat)] + visits[typeid(Dog)], 3 + 3 * rank);
    return finish();
}
