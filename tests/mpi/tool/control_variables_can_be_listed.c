// MPI 5.0 section 15.3.6: "If completed successfully, the routine is required to return a name of
// at least length one. The name must be unique with respect to all other names for control
// variables used by the MPI implementation." "If any OUT parameter to MPI_T_CVAR_GET_INFO is a NULL
// pointer, the implementation will ignore the parameter and not return a value for the parameter."
// "MPI_T_CVAR_GET_INDEX is a function for retrieving the index of a control variable given a known
// variable name."
// ranks: 1 2
#include "variables.h"

enum { kMost = 100 };

int main(void) {
    start_tools();
    static char names[kMost][64];
    int num = 0;
    CHECK_CODE(MPI_T_cvar_get_num(&num), MPI_SUCCESS);
    CHECK(num >= 8 && num <= kMost);
    for (int i = 0; i < num; ++i) {
        char description[512];
        int name_length = sizeof names[i], length = sizeof description;
        int verbosity = -1, bind = -1, scope = -1, found = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        CHECK_CODE(MPI_T_cvar_get_info(i, names[i], &name_length, &verbosity, &type, &enumeration,
                                       description, &length, &bind, &scope),
                   MPI_SUCCESS);
        CHECK(strlen(names[i]) >= 1 && strlen(description) >= 1);
        for (int k = 0; k < i; ++k)
            CHECK(strcmp(names[k], names[i]) != 0);
        CHECK_CODE(MPI_T_cvar_get_index(names[i], &found), MPI_SUCCESS);
        CHECK_EQUAL(found, i);
        CHECK(verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
        CHECK(scope >= MPI_T_SCOPE_CONSTANT && scope <= MPI_T_SCOPE_ALL_EQ);
        CHECK(type == MPI_INT || type == MPI_UNSIGNED_LONG_LONG || type == MPI_CHAR);
        CHECK(type == MPI_INT || enumeration == MPI_T_ENUM_NULL);
        CHECK_EQUAL(bind, MPI_T_BIND_NO_OBJECT);
        CHECK_CODE(MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                   MPI_SUCCESS);
    }
    int nothing = 17;
    CHECK_CODE(MPI_T_cvar_get_info(num, NULL, NULL, &nothing, NULL, NULL, NULL, NULL, NULL, NULL),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_cvar_get_info(-1, NULL, NULL, &nothing, NULL, NULL, NULL, NULL, NULL, NULL),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_cvar_get_index("no_such_variable", &nothing), MPI_T_ERR_INVALID_NAME);
    CHECK_EQUAL(nothing, 17);
    start(NULL, NULL);
    int later = 0;
    CHECK_CODE(MPI_T_cvar_get_num(&later), MPI_SUCCESS);
    CHECK_EQUAL(later, num);
    MPI_Finalize();
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
