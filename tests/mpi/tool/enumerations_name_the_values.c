// MPI 5.0 section 15.3.5: "If completed successfully, the routine returns the name/value pair that
// describes the enumeration at the specified index. The call is further required to return a name
// of at least length one. This name must be unique with respect to all other names of items for the
// same enumeration." Section 16.3: MPI_T_ERR_INVALID_ITEM has been deprecated in favour of
// MPI_T_ERR_INVALID_INDEX.
// ranks: 2
#include "variables.h"

static void check_enumeration(MPI_T_enum enumeration, int current) {
    char name[64], items[20][64];
    int count = 0, length = sizeof name, found = 0, value;
    CHECK_CODE(MPI_T_enum_get_info(enumeration, &count, name, &length), MPI_SUCCESS);
    CHECK(count > 0 && count <= 20 && strlen(name) >= 1);
    for (int i = 0; i < count; ++i) {
        length = sizeof items[i];
        CHECK_CODE(MPI_T_enum_get_item(enumeration, i, &value, items[i], &length), MPI_SUCCESS);
        CHECK(strlen(items[i]) >= 1);
        found += value == current;
        for (int k = 0; k < i; ++k)
            CHECK(strcmp(items[i], items[k]) != 0);
    }
    CHECK_EQUAL(found, 1);
    length = sizeof name;
    CHECK_CODE(MPI_T_enum_get_item(enumeration, count, &value, name, &length),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_enum_get_item(enumeration, -1, &value, name, &length),
               MPI_T_ERR_INVALID_INDEX);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    int index, value = -1;
    MPI_Datatype type;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    CHECK_CODE(MPI_T_cvar_get_index("threads", &index), MPI_SUCCESS);
    CHECK_CODE(
        MPI_T_cvar_get_info(index, NULL, NULL, NULL, &type, &enumeration, NULL, NULL, NULL, NULL),
        MPI_SUCCESS);
    CHECK(type == MPI_INT && enumeration != MPI_T_ENUM_NULL);
    check_enumeration(enumeration, (int)get_control("threads"));
    CHECK_CODE(MPI_T_pvar_get_index("rank_state", MPI_T_PVAR_CLASS_STATE, &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_get_info(index, NULL, NULL, NULL, NULL, &type, &enumeration, NULL, NULL,
                                   NULL, NULL, NULL, NULL),
               MPI_SUCCESS);
    MPI_T_pvar_handle state = measure("rank_state", MPI_T_PVAR_CLASS_STATE, NULL);
    CHECK_CODE(MPI_T_pvar_read(session, state, &value), MPI_SUCCESS);
    check_enumeration(enumeration, value);
    CHECK_CODE(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &value, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_enum_get_item((MPI_T_enum)&value, 0, &value, NULL, NULL),
               MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
