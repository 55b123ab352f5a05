// MPI 5.0 section 7.7.4: datatypes have attributes as communicators have: type_copy_attr_fn is
// called by MPI_TYPE_DUP, type_delete_attr_fn by MPI_TYPE_FREE, MPI_TYPE_DELETE_ATTR and
// MPI_TYPE_SET_ATTR.
// ranks: 1 3
#include "world.h"

static int copies, deletions;

static int copy(MPI_Datatype old, int keyval, void *extra, void *in, void *out, int *flag) {
    ++copies;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Datatype type, int keyval, void *value, void *extra) {
    ++deletions;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type, dup, built;
    int key, flag;
    void *value;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_create_keyval(copy, delete, &key, NULL);
    MPI_Type_set_attr(type, key, (void *)41);
    MPI_Type_dup(type, &dup);
    CHECK_EQUAL(copies, 1);
    MPI_Type_get_attr(dup, key, &value, &flag);
    CHECK(flag && value == (void *)42);
    MPI_Type_contiguous(2, type, &built); // a derived type gets no attributes
    MPI_Type_get_attr(built, key, &value, &flag);
    CHECK(!flag);
    CHECK_EQUAL(copies, 1);
    MPI_Type_free(&dup);
    CHECK_EQUAL(deletions, 1);
    MPI_Type_set_attr(type, key, (void *)50);
    CHECK_EQUAL(deletions, 2);
    MPI_Type_delete_attr(type, key);
    CHECK_EQUAL(deletions, 3);
    // Predefined datatypes take attributes, too.
    MPI_Type_set_attr(MPI_INT, key, (void *)(intptr_t)(rank + 1));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_get_attr(MPI_INT, key, &value, &flag);
    CHECK(flag && value == (void *)(intptr_t)(rank + 1));
    MPI_Type_delete_attr(MPI_INT, key);
    MPI_Type_free(&type);
    MPI_Type_free(&built);
    MPI_Type_free_keyval(&key);
    CHECK_EQUAL(key, MPI_KEYVAL_INVALID);
    return finish();
}
