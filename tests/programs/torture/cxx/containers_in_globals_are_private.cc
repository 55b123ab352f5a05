// vector, deque, list, array, map, set, unordered_map, priority_queue, bitset, valarray as globals.
// ranks: 8 64
#include "torture.h"

#include <array>
#include <bitset>
#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <valarray>
#include <vector>

std::vector<int> numbers{1, 2, 3};
static std::deque<double> ends = {0.5};
std::list<std::string> words{"first", "a second word that is too long to be small"};
static std::array<int, 4> fixed = {1, 2, 3, 4};
std::map<std::string, std::vector<int>> index = {{"a", {1}}, {"b", {2, 3}}};
static const std::map<int, std::string> constant_map = {{1, "one"}, {2, "two"}};
std::set<int> members = {5, 1, 3};
static std::unordered_map<int, int> squares;
std::priority_queue<int> heap;
static std::bitset<100> bits("101");
static std::valarray<double> values(1.5, 10);
std::vector<bool> flags(70, true);
static auto &back_of_words = words.back();
static std::vector<int>::iterator in_numbers = numbers.begin() + 1;

int main(int argc, char **argv) {
    CHECK(numbers.size() == 3 && ends[0] == .5 && words.size() == 2 && fixed[3] == 4 &&
          *in_numbers == 2);
    CHECK(index.at("b")[1] == 3 && constant_map.at(2) == "two" && members.size() == 3 &&
          squares.empty());
    CHECK(heap.empty() && bits.count() == 2 && values.sum() == 15 && flags[69]);
    int rank = start(&argc, &argv);
    *in_numbers += rank;
    for (int i = 1; i < 4; ++i) {
        numbers.push_back(rank), ends.push_front(rank), back_of_words += char('a' + rank % 26);
        fixed[i] += rank, index[std::to_string(rank)].push_back(i), members.insert(10 + rank * i);
        squares[i] = rank * rank, heap.push(rank - i), bits.flip(size_t(rank)), values += rank,
        flags[i] = false;
        let_others_run();
        CHECK(numbers.size() == 3u + i && numbers.back() == rank && numbers[1] == 2 + rank);
        CHECK(ends.size() == 1u + i &&
              std::accumulate(ends.begin(), ends.end(), 0.) == .5 + i * rank);
        CHECK(words.back().size() == 42u + i && words.back().back() == 'a' + rank % 26);
        CHECK(fixed[size_t(i)] == i + 1 + rank && index.size() == 3 &&
              index[std::to_string(rank)].size() == size_t(i));
        CHECK(*members.rbegin() == 10 + rank * i && squares.at(i) == rank * rank &&
              int(squares.size()) == i);
        CHECK(heap.top() == rank - 1 &&
              bits.count() == (i % 2 ? (rank == 0 || rank == 2 ? 1u : 3u) : 2u));
        CHECK(values.sum() == 10 * (1.5 + i * rank) && constant_map.size() == 2);
    }
    return finish();
}
