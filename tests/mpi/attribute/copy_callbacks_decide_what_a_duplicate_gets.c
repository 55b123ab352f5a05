// MPI 5.0 section 7.7.2: "comm_copy_attr_fn ... is invoked when a communicator is duplicated by
// MPI_COMM_DUP ... If it returns flag = 0 or .FALSE., then the attribute is deleted in the
// duplicated communicator. Otherwise (flag = 1 or .TRUE.), the new attribute value is set to the
// value returned in attribute_val_out."
// ranks: 1 2 5
#include "world.h"

static int copies, deletions;

static int copy(MPI_Comm old, int keyval, void *extra, void *in, void *out, int *flag) {
    CHECK(old == *(MPI_Comm *)extra);
    ++copies;
    *(void **)out = (char *)in + 100;
    *flag = in != (void *)13;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    ++deletions;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm original, dup;
    int key, lucky, never, always, flag;
    void *value;
    MPI_Comm_dup(MPI_COMM_WORLD, &original);
    MPI_Comm_create_keyval(copy, delete, &key, &original);
    MPI_Comm_create_keyval(copy, delete, &lucky, &original);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &never, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &always, NULL);
    MPI_Comm_set_attr(original, key, (void *)(intptr_t)(1000 + rank));
    MPI_Comm_set_attr(original, lucky, (void *)13);
    MPI_Comm_set_attr(original, never, &copies);
    MPI_Comm_set_attr(original, always, &copies);
    MPI_Comm_get_attr(original, key, &value, &flag);
    CHECK(flag && value == (void *)(intptr_t)(1000 + rank));
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_dup(original, &dup);
    CHECK_EQUAL(copies, 2);
    CHECK_EQUAL(deletions, 0);
    MPI_Comm_get_attr(dup, key, &value, &flag);
    CHECK(flag && value == (void *)(intptr_t)(1100 + rank));
    MPI_Comm_get_attr(dup, lucky, &value, &flag);
    CHECK(!flag);
    MPI_Comm_get_attr(dup, never, &value, &flag);
    CHECK(!flag);
    MPI_Comm_get_attr(dup, always, &value, &flag);
    CHECK(flag && value == &copies);
    MPI_Comm_free(&dup);
    CHECK_EQUAL(deletions, 1);
    MPI_Comm_free(&original);
    CHECK_EQUAL(deletions, 3);
    int *keyvals[] = {&key, &lucky, &never, &always};
    for (int i = 0; i < 4; ++i)
        MPI_Comm_free_keyval(keyvals[i]);
    return finish();
}
