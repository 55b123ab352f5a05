// std::string small and large, string_view into globals, arrays of strings, strings of other
// characters.
// ranks: 8 64
#include "torture.h"

#include <map>
#include <string>
#include <string_view>

std::string small = "small";
static std::string large(100, 'x');
const std::string names[] = {"zero", "one", "a long constant name on the heap"};
static char buffer[] = "characters of the rank";
std::string_view into_buffer(buffer, 10);
constexpr std::string_view literal = "literal";
static std::wstring wide = L"wide";
std::u16string sixteen = u"sixteen";
static std::map<std::string_view, int> counts = {{literal, 1}, {into_buffer, 2}};
static std::string *to_small = &small;
std::string empty;
static const std::string &reference = large;

static const std::string &cached(int n) {
    static std::string result;
    result = "cached " + std::to_string(n);
    return result;
}

int main(int argc, char **argv) {
    CHECK(small == "small" && large.size() == 100 && names[2].size() == 32 &&
          into_buffer == "characters");
    CHECK(counts.at("characters") == 2 && wide == L"wide" && sixteen.back() == u'n' &&
          empty.empty());
    CHECK(small.data() >= (char *)&small && small.data() < (char *)(&small + 1));
    int rank = start(&argc, &argv);
    const std::string &kept = cached(rank);
    for (int i = 1; i < 4; ++i) {
        *to_small += char('0' + rank % 10), large[size_t(rank)] = 'y',
                                            empty.append(1000, char('a' + i));
        buffer[11] = char('A' + rank % 26), wide += wchar_t(L'a' + rank),
        sixteen[0] = char16_t(rank);
        ++counts[literal];
        let_others_run();
        CHECK(small.size() == 5u + i && small.back() == char('0' + rank % 10));
        CHECK(reference.find('y') == size_t(rank) && reference.rfind('y') == size_t(rank));
        CHECK(empty.size() == 1000u * i && empty.back() == 'a' + i &&
              buffer[11] == 'A' + rank % 26);
        CHECK(wide.back() == wchar_t(L'a' + rank) && sixteen[0] == rank &&
              counts[literal] == 1 + i);
    }
    CHECK(kept == "cached " + std::to_string(rank) && names[1] == "one");
    std::string moved = std::move(large);
    large = "new";
    let_others_run();
    CHECK(moved.size() == 100 && reference == "new");
    return finish();
}
