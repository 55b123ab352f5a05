// ranks: 8
// expect: ^log5: message 5$
// expect: ^log0: message 0$
// expect: ^name6: warning 6: No such file or directory$
// expect-not: invisible
// openlog and setlogmask, and the name of the program in messages, are each rank's.
#define _GNU_SOURCE
#include "check.h"

#include <err.h>
#include <errno.h>
#include <string.h>
#include <syslog.h>

int main(int argc, char **argv) {
    int rank;
    char name[16], program[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(!strcmp(program_invocation_short_name, "messages_name_the_program_of_the_rank"));
    CHECK(!strcmp(program_invocation_name, argv[0]));
    snprintf(name, sizeof name, "log%d", rank);
    snprintf(program, sizeof program, "name%d", rank);
    openlog(name, LOG_PERROR, LOG_USER);
    program_invocation_short_name = program;
    if (rank % 2)
        CHECK_EQUAL(setlogmask(LOG_UPTO(LOG_ERR)), LOG_UPTO(LOG_DEBUG));
    MPI_Barrier(MPI_COMM_WORLD);
    syslog(LOG_ERR, "message %d", rank);
    if (rank % 2)
        syslog(LOG_INFO, "invisible %d", rank);
    closelog();
    errno = ENOENT;
    warn("warning %d", rank);
    MPI_Finalize();
    return 0;
}
