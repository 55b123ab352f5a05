// MPI 5.0 section 7.7.2: the delete function "is called by MPI_COMM_FREE, MPI_COMM_DISCONNECT,
// MPI_COMM_DELETE_ATTR, and MPI_COMM_SET_ATTR to do whatever is needed to remove an attribute."
// ranks: 1 3
#include "world.h"

static int deletions;
static void *last_value;

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    CHECK(extra == &deletions);
    ++deletions;
    last_value = value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    static int first, second;
    int key, flag;
    void *value;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, &deletions);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &first);
    CHECK_EQUAL(deletions, 0);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &second);
    CHECK_EQUAL(deletions, 1);
    CHECK(last_value == &first);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    CHECK_EQUAL(deletions, 2);
    CHECK(last_value == &second);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL); // a null value is a value
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(flag && !value);
    // A freed key works on until the last attribute with it is gone.
    int same_key = key;
    MPI_Comm_free_keyval(&key);
    CHECK_EQUAL(key, MPI_KEYVAL_INVALID);
    MPI_Comm_get_attr(MPI_COMM_WORLD, same_key, &value, &flag);
    CHECK(flag && !value);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, same_key);
    CHECK_EQUAL(deletions, 3);
    return finish();
}
