// Inline variables, statics of inline functions, static members and variable templates in two
// files.
// ranks: 8 64
// with: inline_variables_other.cc
#include "parts/inline_variables.h"
#include "torture.h"

int main(int argc, char **argv) {
    CHECK(inline_number == 5 && inline_text.size() == 51 && *Holder::pointer == 7 &&
          Holder::constant == 9);
    CHECK(Numbered<int>::number == 10 && Numbered<double>::number == 10 && variable<long> == 3);
    void *here[] = {&inline_number,  &Holder::number, &Numbered<int>::number,
                    &variable<long>, &Single::get(),  &Numbered<double>::value};
    for (int i = 0; i < 6; ++i)
        CHECK(address_there(i) == here[i]);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        inline_number += rank, *Holder::pointer += rank, variable<char> = char(i);
        CHECK_EQUAL(count(), 2 * i - 1);
        let_others_run();
        CHECK_EQUAL(use_there(rank), 2 * i);
        let_others_run();
        CHECK_EQUAL(inline_number, 5 + 2 * i * rank);
        CHECK_EQUAL(Holder::number, 7 + 2 * i * rank);
        CHECK_EQUAL(Numbered<int>::number, 10 + i * rank);
        CHECK_EQUAL(variable<long>, 3 + i * rank);
        CHECK_EQUAL(Single::get().value, 100 + i * rank);
        CHECK_EQUAL(calls_of<int>(), 2 * i);
        CHECK_EQUAL(calls_of<char>(), i);
        CHECK(inline_text.size() == 51u + i && Numbered<double>::number == 10 &&
              variable<char> == i);
    }
    return finish();
}
