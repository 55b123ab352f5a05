// ranks: 1 8
// getpwent, getgrent and their kin go through a database; each rank keeps its own place in it.
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

static int rank;

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
    MPI_Finalize();
    return 0;
}
