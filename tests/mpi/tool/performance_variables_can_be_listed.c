// MPI 5.0 section 15.3.7: "The combination of the name and the class of the performance variable
// must be unique with respect to all other names for performance variables used by the MPI
// implementation." "Only variables for which the call sets atomic to one can be used in a call to
// MPI_T_PVAR_READRESET." Section 15.3.7: "If it is not possible to change the variable, the
// function returns MPI_T_ERR_PVAR_NO_WRITE."
// ranks: 1 2
#include "variables.h"

static int may_have(int variable_class, MPI_Datatype type) {
    switch (variable_class) {
    case MPI_T_PVAR_CLASS_STATE:
        return type == MPI_INT;
    case MPI_T_PVAR_CLASS_PERCENTAGE:
        return type == MPI_DOUBLE;
    default:
        return type == MPI_UNSIGNED_LONG_LONG;
    }
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    CHECK_CODE(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    int num = 0, seen = 0;
    CHECK_CODE(MPI_T_pvar_get_num(&num), MPI_SUCCESS);
    CHECK(num >= 20);
    for (int i = 0; i < num; ++i) {
        char name[64], description[512];
        int length = sizeof name, description_length = sizeof description, found = -1, count = 0;
        int verbosity, variable_class, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        CHECK_CODE(MPI_T_pvar_get_info(i, name, &length, &verbosity, &variable_class, &type,
                                       &enumeration, description, &description_length, &bind,
                                       &readonly, &continuous, &atomic),
                   MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                       NULL, NULL, NULL),
                   MPI_SUCCESS);
        CHECK(strlen(name) >= 1 && strlen(description) >= 1);
        CHECK(may_have(variable_class, type));
        CHECK(type == MPI_INT || enumeration == MPI_T_ENUM_NULL);
        CHECK_CODE(MPI_T_pvar_get_index(name, variable_class, &found), MPI_SUCCESS);
        CHECK_EQUAL(found, i);
        seen |= 1 << variable_class;
        MPI_Comm comm = MPI_COMM_WORLD;
        CHECK(bind == MPI_T_BIND_NO_OBJECT || bind == MPI_T_BIND_MPI_COMM);
        MPI_T_pvar_handle handle;
        CHECK_CODE(MPI_T_pvar_handle_alloc(session, i, &comm, &handle, &count), MPI_SUCCESS);
        unsigned long long value = 0, zero = 0;
        CHECK_CODE(MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
        int code = continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS;
        CHECK_CODE(MPI_T_pvar_start(session, handle), code);
        CHECK_CODE(MPI_T_pvar_stop(session, handle), code);
        code = readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS;
        CHECK_CODE(MPI_T_pvar_reset(session, handle), code);
        CHECK_CODE(MPI_T_pvar_write(session, handle, &zero), code);
        code = atomic ? MPI_SUCCESS : MPI_T_ERR_PVAR_NO_ATOMIC;
        CHECK_CODE(MPI_T_pvar_readreset(session, handle, &value), code);
        CHECK_CODE(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    }
    const int classes[] = {MPI_T_PVAR_CLASS_STATE,     MPI_T_PVAR_CLASS_LEVEL,
                           MPI_T_PVAR_CLASS_SIZE,      MPI_T_PVAR_CLASS_PERCENTAGE,
                           MPI_T_PVAR_CLASS_COUNTER,   MPI_T_PVAR_CLASS_HIGHWATERMARK,
                           MPI_T_PVAR_CLASS_AGGREGATE, MPI_T_PVAR_CLASS_TIMER};
    for (int i = 0; i < 8; ++i)
        CHECK(seen & 1 << classes[i]);
    int index;
    CHECK_CODE(MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_LEVEL, &index),
               MPI_T_ERR_INVALID_NAME);
    CHECK_CODE(MPI_T_pvar_get_index("nothing", MPI_T_PVAR_CLASS_COUNTER, &index),
               MPI_T_ERR_INVALID_NAME);
    CHECK_CODE(MPI_T_pvar_get_info(num, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                   NULL, NULL),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
