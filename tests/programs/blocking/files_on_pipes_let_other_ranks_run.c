// ranks: 2 6
// timeout: 60
// The reads and writes of stdio go to the kernel from inside the C library: fgets, fscanf, getc,
// getline, fread, wide characters, popen; the other side is a rank of the same worker.
#define _GNU_SOURCE
#include "pairs.h"

#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>

static void converse(FILE *in, FILE *out) {
    for (int round = 0; round < ROUNDS; ++round) {
        if (!is_first) {
            fprintf(out, "line %d\n%d %d\nc", round, round, 2 * round);
            fwrite("blockblock", 1, 10, out);
            fprintf(out, "a long line of its own\n");
            CHECK_EQUAL(fflush(out), 0);
            CHECK_EQUAL(getc(in), 'k');
            continue;
        }
        char text[100] = "";
        int a = -1, b = -1;
        CHECK(fgets(text, sizeof text, in) != NULL);
        CHECK_EQUAL(strncmp(text, "line ", 5), 0);
        CHECK_EQUAL(fscanf(in, "%d %d ", &a, &b), 2);
        CHECK_EQUAL(a, round);
        CHECK_EQUAL(b, 2 * round);
        CHECK_EQUAL(getc(in), 'c');
        CHECK_EQUAL(fread(text, 1, 10, in), 10);
        CHECK_EQUAL(memcmp(text, "blockblock", 10), 0);
        char *line = NULL;
        size_t room = 0;
        CHECK_EQUAL(getline(&line, &room, in), 23);
        free(line);
        CHECK(putc('k', out) == 'k');
        CHECK_EQUAL(fflush(out), 0);
    }
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ends[6];
    if (is_first)
        for (int i = 0; i < 6; i += 2)
            CHECK_EQUAL(pipe2(ends + i, O_CLOEXEC), 0); // children of other pairs keep none open
    share(ends, 6);
    FILE *in = fdopen(is_first ? ends[0] : ends[2], "r"),
         *out = fdopen(is_first ? ends[3] : ends[1], "w");
    CHECK(in && out);
    converse(in, out);

    // More than the pipe holds, through the FILE's buffer.
    char block[1000];
    memset(block, 'q', sizeof block);
    for (int i = 0; i < 300; ++i)
        if (is_first) {
            CHECK_EQUAL(fwrite(block, 1, sizeof block, out), sizeof block);
        } else {
            memset(block, 0, sizeof block);
            CHECK_EQUAL(fread(block, 1, sizeof block, in), sizeof block);
            CHECK_EQUAL(block[999], 'q');
        }
    CHECK_EQUAL(fflush(out), 0);

    // Wide characters.
    if (is_first) {
        FILE *wide = fdopen(ends[4], "r");
        wchar_t text[100];
        CHECK(fgetws(text, 100, wide) != NULL);
        CHECK_EQUAL(wcscmp(text, L"wide\n"), 0);
    } else {
        CHECK_EQUAL(write(ends[5], "wide\n", 5), 5);
    }

    // A child process that waits for what the partner writes.
    char command[100], line[100];
    if (is_first) {
        snprintf(command, sizeof command, "exec sed -u 's/^/child: /' </dev/fd/%d", dup(ends[0]));
        FILE *child = popen(command, "r");
        CHECK(child != NULL);
        CHECK(fgets(line, sizeof line, child) != NULL);
        CHECK_EQUAL(strcmp(line, "child: from the partner\n"), 0);
        fprintf(out, "thanks\n");
        fflush(out);
        CHECK_EQUAL(close(ends[1]), 0); // the last writer: the child sees the end
        CHECK_EQUAL(pclose(child), 0);
    } else {
        fprintf(out, "from the partner\n");
        fflush(out);
        CHECK(fgets(line, sizeof line, in) != NULL);
        CHECK_EQUAL(strcmp(line, "thanks\n"), 0);
    }
    return finish();
}
