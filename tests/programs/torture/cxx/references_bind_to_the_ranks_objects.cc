// References at namespace scope: to variables, elements, temporaries, functions, members; rvalue
// references.
// ranks: 8 64
#include "torture.h"

#include <array>
#include <string>
#include <vector>

static int number = 1;
int &to_number = number;
const int &to_temporary = 5;
static int &&to_rvalue = 6 + 0;
std::array<int, 4> array = {1, 2, 3, 4};
int &to_element = array[2];
static int (&to_array)[3] = *new int[1][3]{{7, 8, 9}};

static int add(int x) {
    return number += x;
}

int (&to_function)(int) = add;
static const std::string &to_string = "a temporary string on the heap for a reference";
static std::vector<int> vector = {1, 2, 3};
static int &to_vector_element = vector[1];

struct Holder {
    int &reference;
    const std::string &text;
};

static Holder holder{array[0], to_string};
static int &chosen = number > 0 ? array[3] : array[0];
int &chain = to_element;
static int dynamic = to_number + 1;
const int &constant_view = dynamic;

static int &function_result() {
    static int &reference = *new int(42);
    return reference;
}

int main(int argc, char **argv) {
    CHECK(&to_number == &number && to_temporary == 5 && to_rvalue == 6 && &to_element == &array[2]);
    CHECK(to_array[2] == 9 && &to_function == &add && to_string.size() == 46 &&
          to_vector_element == 2);
    CHECK(&holder.reference == &array[0] && &chosen == &array[3] && constant_view == 2 &&
          function_result() == 42);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        to_number += rank, to_rvalue += rank, chain += rank, to_array[0] += rank,
            to_vector_element = rank;
        holder.reference -= rank, chosen += 2 * rank, ++dynamic, function_result() += rank;
        let_others_run();
        CHECK_EQUAL(to_function(0), 1 + i * rank);
        CHECK_EQUAL(to_rvalue, 6 + i * rank);
        CHECK_EQUAL(array[2], 3 + i * rank);
        CHECK_EQUAL(to_array[0], 7 + i * rank);
        CHECK(vector[1] == rank && array[0] == 1 - i * rank && array[3] == 4 + 2 * i * rank);
        CHECK(constant_view == 2 + i && function_result() == 42 + i * rank &&
              holder.text.size() == 46);
    }
    return finish();
}
