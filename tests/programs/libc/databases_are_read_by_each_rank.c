// ranks: 1 8
// getpwent, getgrent, gethostent, getutxent and their kin go through a database; each rank keeps
// its own place in it.
// Results in static buffers are not overwritten by other ranks.
#define _GNU_SOURCE
#include "check.h"

#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <utmpx.h>

static int rank;

// The first line of a database that is no comment, up to its first blank; empty: there is none.
static void first_name(const char *path, char (*name)[64]) {
    char line[256];
    (*name)[0] = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (line[0] != '#' && line[0] != '\n' && sscanf(line, "%63s", *name) == 1)
            break;
    if (file)
        fclose(file);
}

// Each of these enumerations begins anew in each rank, however far the others are.
static void check_network_databases(void) {
    char service[64], protocol[64], network[64];
    first_name("/etc/services", &service);
    first_name("/etc/protocols", &protocol);
    first_name("/etc/networks", &network);
    struct servent *servent = getservent();
    struct protoent *protoent = getprotoent();
    struct netent *netent = getnetent();
    struct hostent *hostent = gethostent();
    CHECK(hostent != NULL);
    char host[64];
    snprintf(host, sizeof host, "%s", hostent->h_name);
    CHECK_EQUAL(servent != NULL, service[0] != 0);
    CHECK_EQUAL(protoent != NULL, protocol[0] != 0);
    CHECK_EQUAL(netent != NULL, network[0] != 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rank; ++i) {
        getservent();
        getprotoent();
        getnetent();
        gethostent();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    setservent(0);
    setprotoent(0);
    setnetent(0);
    sethostent(0);
    CHECK(!service[0] || !strcmp(getservent()->s_name, service));
    CHECK(!protocol[0] || !strcmp(getprotoent()->p_name, protocol));
    CHECK(!network[0] || !strcmp(getnetent()->n_name, network));
    CHECK(!strcmp(gethostent()->h_name, host));
    endservent();
    endprotoent();
    endnetent();
    endhostent();
}

// The list of logged-in users: a file that rank 0 makes, with a name for the whole process.
static void check_logins(void) {
    static char path[64];

    enum { LOGINS = 9 };

    if (rank == 0) {
        snprintf(path, sizeof path, "/tmp/thrum-logins-%d", (int)getpid());
        FILE *file = fopen(path, "w");
        CHECK(file != NULL);
        for (int i = 0; i < LOGINS; ++i) {
            struct utmpx entry;
            memset(&entry, 0, sizeof entry);
            entry.ut_type = USER_PROCESS;
            snprintf(entry.ut_user, sizeof entry.ut_user, "user%d", i);
            snprintf(entry.ut_line, sizeof entry.ut_line, "tty%d", i);
            entry.ut_id[0] = (char)('a' + i);
            fwrite(&entry, sizeof entry, 1, file);
        }
        fclose(file);
        CHECK_EQUAL(utmpxname(path), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    char expected[32];
    struct utmpx *login = NULL, wanted;
    for (int i = 0; i <= rank; ++i) {
        login = getutxent();
        snprintf(expected, sizeof expected, "user%d", i);
        CHECK(login && !strcmp(login->ut_user, expected));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(login->ut_user, expected));
    memset(&wanted, 0, sizeof wanted);
    wanted.ut_type = USER_PROCESS;
    wanted.ut_id[0] = 'i';
    login = getutxid(&wanted);
    CHECK(login && !strcmp(login->ut_user, "user8"));
    CHECK(getutxent() == NULL);
    setutxent();
    snprintf(wanted.ut_line, sizeof wanted.ut_line, "tty%d", rank);
    login = getutxline(&wanted);
    CHECK(login && !strcmp(login->ut_user, expected));
    endutxent();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        remove(path);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char names[8][64];
    int users = 0;
    setpwent();
    for (struct passwd *user; users < 8 && (user = getpwent()) != NULL; ++users)
        snprintf(names[users], sizeof names[users], "%s", user->pw_name);
    endpwent();
    CHECK(users >= 3);
    CHECK(!strcmp(names[0], "root"));
    MPI_Barrier(MPI_COMM_WORLD);
    // Each rank stands elsewhere; the others' steps do not move it, their results do not overwrite
    // its.
    int place = rank % users;
    struct passwd *mine = NULL;
    for (int i = 0; i <= place; ++i) {
        mine = getpwent();
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(mine && !strcmp(mine->pw_name, names[i]));
    }
    for (int i = place; i < 7; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(mine->pw_name, names[place]));
    CHECK(!strcmp(getpwuid(0)->pw_name, "root"));
    CHECK(!strcmp(mine->pw_name, names[place]));
    setgrent();
    struct group *group = getgrent();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(group && !strcmp(group->gr_name, "root"));
    for (int i = 0; i < rank; ++i)
        getgrent();
    endgrent();
    CHECK(!strcmp(getgrent()->gr_name, "root"));
    // A table of mounts of its own.
    char path[64], expected[32];
    snprintf(path, sizeof path, "/tmp/thrum-mounts-%d-%d", (int)getpid(), rank);
    snprintf(expected, sizeof expected, "/dev/of%d", rank);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, "%s /on%d ext4 rw 0 0\n", expected, rank);
    fclose(file);
    file = setmntent(path, "r");
    CHECK(file != NULL);
    struct mntent *mount = getmntent(file);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(mount && !strcmp(mount->mnt_fsname, expected));
    endmntent(file);
    remove(path);
    CHECK(ctermid(NULL) != NULL);
    check_network_databases();
    check_logins();
    MPI_Finalize();
    return 0;
}
