// ranks: 1 8
// env: LOCPATH="$program.locales"
// textdomain() says where gettext() looks: in the rank's own domain.
#include "check.h"

#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank;

// A catalogue (.mo) with one message.
static void write_catalogue(const char *path, const char *text, const char *translation) {
    unsigned header[11] = {0x950412de, 0, 1, 28, 36, 0, 44};
    header[7] = (unsigned)strlen(text);
    header[8] = sizeof header;
    header[9] = (unsigned)strlen(translation);
    header[10] = header[8] + header[7] + 1;
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fwrite(header, sizeof header, 1, file);
    fwrite(text, strlen(text) + 1, 1, file);
    fwrite(translation, strlen(translation) + 1, 1, file);
    CHECK_EQUAL(fclose(file), 0);
}

// Makes a locale of its own: the C library translates nothing in the locale C, nor, since
// glibc 2.41, in C.UTF-8.
static void set_locale_of_name(const char *name) {
    char path[PATH_MAX], command[2 * PATH_MAX + 100];
    mkdir(getenv("LOCPATH"), 0700);
    snprintf(path, sizeof path, "%s/%s", getenv("LOCPATH"), name);
    snprintf(command, sizeof command, "cp -r /usr/lib/locale/C.utf8 '%s'", path);
    CHECK_EQUAL(system(command), 0);
    CHECK(setlocale(LC_ALL, name) != NULL);
    snprintf(command, sizeof command, "rm -r '%s'", path);
    CHECK_EQUAL(system(command), 0);
}

int main(int argc, char **argv) {
    char directory[64], path[200], domain[32], expected[32], locale[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(!strcmp(textdomain(NULL), "messages"));
    snprintf(locale, sizeof locale, "t%d_%d.UTF-8", (int)getpid(), rank);
    set_locale_of_name(locale);
    snprintf(directory, sizeof directory, "/tmp/thrum-messages-%d", (int)getpid());
    snprintf(domain, sizeof domain, "domain%d", rank);
    snprintf(expected, sizeof expected, "hello from %d", rank);
    mkdir(directory, 0700);
    snprintf(path, sizeof path, "%s/%s", directory, locale);
    mkdir(path, 0700);
    strcat(path, "/LC_MESSAGES");
    mkdir(path, 0700);
    snprintf(path + strlen(path), 64, "/%s.mo", domain);
    write_catalogue(path, "hello", expected);
    CHECK(bindtextdomain(domain, directory) != NULL);
    CHECK(!strcmp(textdomain(domain), domain));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(textdomain(NULL), domain));
    CHECK(!strcmp(gettext("hello"), expected));
    CHECK(!strcmp(gettext("unknown"), "unknown"));
    CHECK(!strcmp(dgettext(NULL, "hello"), expected));
    CHECK(!strcmp(dgettext(domain, "hello"), expected));
    CHECK(!strcmp(ngettext("one", "many", 2), "many"));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(textdomain(""), "messages"));
    CHECK(!strcmp(gettext("hello"), "hello"));
    unlink(path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        snprintf(path, sizeof path, "rm -r %s", directory);
        CHECK_EQUAL(system(path), 0);
    }
    MPI_Finalize();
    return 0;
}
