// MPI 5.0 chapter 10: "MPI_INFO_DUP duplicates an existing info object, creating a new object, with
// the same (key,value) pairs and the same ordering of keys."
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info, dup;
    char key[MPI_MAX_INFO_KEY], same[MPI_MAX_INFO_KEY], value[16];
    int count, length = sizeof value, flag;
    MPI_Info_create(&info);
    for (int i = 0; i < 100; ++i) {
        sprintf(key, "key %d", i * 37 % 100);
        sprintf(value, "%d", i);
        MPI_Info_set(info, key, value);
    }
    MPI_Info_dup(info, &dup);
    MPI_Info_get_nkeys(dup, &count);
    CHECK_EQUAL(count, 100);
    for (int n = 0; n < count; ++n) {
        MPI_Info_get_nthkey(info, n, key);
        MPI_Info_get_nthkey(dup, n, same);
        CHECK(strcmp(key, same) == 0);
    }
    MPI_Info_set(info, "key 37", "changed");
    MPI_Info_free(&info);
    MPI_Info_get_string(dup, "key 37", &length, value, &flag);
    CHECK(flag && strcmp(value, "1") == 0);
    MPI_Info_free(&dup);
    return finish();
}
