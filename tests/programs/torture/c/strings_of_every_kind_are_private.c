// Arrays of characters, wide and Unicode strings, tables of them, strings cut up in place.
// ranks: 8 64
#include "torture.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

char sentence[] = "the quick brown fox";
static char grid[3][8] = {"one", "two", "three"};
static char no_end[4] = {'a', 'b', 'c', 'd'};
wchar_t wide[] = L"wide";
char16_t utf16[] = u"sixteen";
char32_t utf32[] = U"thirty-two";
static char utf8[] = u8"\u00e9t\u00e9";
static char *mutable_table[] = {sentence, grid[1], utf8, 0};
static const char *constant_table[] = {"alpha", "beta", "gamma"};
static char *cursor = sentence + 4;
static char buffer[256];
static size_t used;

static void append(const char *word) {
    size_t length = strlen(word);
    memcpy(buffer + used, word, length + 1);
    used += length;
}

int main(int argc, char **argv) {
    CHECK(!strcmp(mutable_table[0], "the quick brown fox") && *cursor == 'q' &&
          !strcmp(grid[2], "three"));
    CHECK(no_end[3] == 'd' && wcslen(wide) == 4 && utf16[6] == u'n' && utf32[9] == U'o' &&
          used == 0);
    int rank = start(&argc, &argv);
    cursor[rank % 5] = (char)toupper(cursor[rank % 5]);
    char digits[8];
    snprintf(digits, sizeof digits, "%d", rank);
    strcpy(grid[1], digits);
    wide[0] = L'A' + rank, utf16[0] = (char16_t)rank, utf32[0] = (char32_t)rank,
    no_end[3] = (char)rank;
    constant_table[1] = constant_table[rank % 3];
    append("rank "), append(digits);
    let_others_run();
    for (int i = 0; i < 5; ++i)
        CHECK(!isupper(sentence[4 + i]) == (i != rank % 5));
    CHECK(atoi(mutable_table[1]) == rank && atoi(buffer + 5) == rank && used == 5 + strlen(digits));
    CHECK(wide[0] == L'A' + rank && utf16[0] == rank && utf32[0] == (char32_t)rank &&
          no_end[3] == rank);
    CHECK(!strcmp(constant_table[1], rank % 3 == 0 ? "alpha" : rank % 3 == 1 ? "beta" : "gamma"));
    *strchr(sentence, ' ') = 0;
    let_others_run();
    CHECK_EQUAL(strlen(mutable_table[0]), 3);
    return finish();
}
