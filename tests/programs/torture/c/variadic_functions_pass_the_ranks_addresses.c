// Addresses and values of globals as variable arguments; formatted input and output on globals.
// ranks: 8 64
#include "torture.h"

#include <stdarg.h>
#include <string.h>

static int total;
static double real = 0.5;
static char text[80], word[16];
static int a = 1, b = 2, c = 3;
static long double precise = 2.25L;

static int sum(int count, ...) {
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int s = 0;
    for (int i = 0; i < count; ++i)
        s += *va_arg(list, int *);
    for (int i = 0; i < count; ++i)
        *va_arg(copy, int *) += 1;
    va_end(list);
    va_end(copy);
    total += s;
    return s;
}

static int format(char *into, size_t size, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    int length = vsnprintf(into, size, pattern, list);
    va_end(list);
    return length;
}

int main(int argc, char **argv) {
    CHECK(total == 0 && text[0] == 0 && sum(3, &a, &b, &c) == 6 && total == 6);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        a = rank, b = 2 * rank, c = i;
        let_others_run();
        CHECK_EQUAL(sum(7, &a, &b, &c, &b, &c, &b, &a), 8 * rank + 2 * i);
        CHECK(a == rank + 2 && b == 2 * rank + 3 && c == i + 2);
    }
    CHECK_EQUAL(total, 6 + 24 * rank + 12);
    real += rank, precise += rank;
    format(text, sizeof text, "%d %s %.2f %.2Lf %p", rank, "word", real, precise, (void *)&a);
    let_others_run();
    int number = 0;
    double value = 0;
    void *address = 0;
    CHECK_EQUAL(sscanf(text, "%d %15s %lf %Lf %p", &number, word, &value, &precise, &address), 5);
    CHECK(number == rank && !strcmp(word, "word") && value == real && precise == 2.25L + rank);
    CHECK(address == &a && strlen(text) < sizeof text);
    return finish();
}
