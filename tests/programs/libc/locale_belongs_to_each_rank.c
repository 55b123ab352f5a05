// ranks: 1 8
// POSIX setlocale: the locale of the process; here of the rank. C.UTF-8 is everywhere: characters
// of more than one byte, and what the environment of the rank names.
#define _GNU_SOURCE
#include "check.h"

#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int rank;
static const char umlaut[] = "\303\244"; // one character in UTF-8, two bytes in C

static void *look_from_thread(void *unused) {
    return (void *)(long)(MB_CUR_MAX > 1);
}

int main(int argc, char **argv) {
    wchar_t wide[8];
    void *result = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(!strcmp(setlocale(LC_ALL, NULL), "C"));
    int has_utf8 = rank % 2;
    setenv("LC_ALL", has_utf8 ? "C.UTF-8" : "C", 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(setlocale(LC_ALL, "") != NULL);
    for (int i = 0; i < 5; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(!strcmp(setlocale(LC_ALL, NULL), has_utf8 ? "C.UTF-8" : "C"));
        CHECK(!strcmp(setlocale(LC_CTYPE, NULL), has_utf8 ? "C.UTF-8" : "C"));
        CHECK_EQUAL(MB_CUR_MAX, has_utf8 ? 6 : 1);
        CHECK(!strcmp(nl_langinfo(CODESET), has_utf8 ? "UTF-8" : "ANSI_X3.4-1968"));
        if (has_utf8) {
            CHECK_EQUAL(mbstowcs(wide, umlaut, 8), 1);
            CHECK_EQUAL(wide[0], 0xe4);
            CHECK(iswalpha((wint_t)wide[0]));
            // Half a character is remembered between calls, by each rank.
            CHECK_EQUAL(mbrtowc(wide, umlaut, 1, NULL), (size_t)-2);
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_EQUAL(mbrtowc(wide, umlaut + 1, 1, NULL), 1);
            CHECK_EQUAL(wide[0], 0xe4);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_EQUAL(mbrtowc(wide, "x", 1, NULL), 1);
        }
        CHECK(isalpha('x') && !isalpha('1'));
        CHECK(!strcmp(localeconv()->decimal_point, "."));
    }
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, look_from_thread, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, &result), 0);
    CHECK_EQUAL((long)result, has_utf8);
    // A category of its own, and uselocale on top of it.
    CHECK(setlocale(LC_ALL, "C") != NULL);
    CHECK(!strcmp(setlocale(LC_CTYPE, "C.UTF-8"), "C.UTF-8"));
    CHECK_EQUAL(MB_CUR_MAX, 6);
    char *all = strdup(setlocale(LC_ALL, NULL));
    CHECK(strstr(all, "LC_CTYPE=C.UTF-8;LC_NUMERIC=C") != NULL);
    CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CHECK(uselocale(c) == LC_GLOBAL_LOCALE);
    CHECK_EQUAL(MB_CUR_MAX, 1);
    CHECK(uselocale(LC_GLOBAL_LOCALE) == c);
    CHECK_EQUAL(MB_CUR_MAX, 6);
    CHECK(setlocale(LC_ALL, "C") != NULL);
    CHECK_EQUAL(MB_CUR_MAX, 1);
    CHECK(!strcmp(setlocale(LC_ALL, all), all));
    CHECK_EQUAL(MB_CUR_MAX, 6);
    CHECK(setlocale(LC_ALL, "no_SUCH.locale") == NULL);
    CHECK(!strcmp(setlocale(LC_ALL, NULL), all));
    MPI_Finalize();
    return 0;
}
