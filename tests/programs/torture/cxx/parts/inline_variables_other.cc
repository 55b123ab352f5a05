#include "inline_variables.h"

int use_there(int amount) {
    inline_number += amount;
    inline_text += "x";
    Holder::number += amount;
    Numbered<int>::number += amount;
    variable<long> += amount;
    Single::get().value += amount;
    calls_of<int>();
    return count();
}

void *address_there(int which) {
    void *addresses[] = {&inline_number,  &Holder::number, &Numbered<int>::number,
                         &variable<long>, &Single::get(),  &Numbered<double>::value};
    return addresses[which];
}
