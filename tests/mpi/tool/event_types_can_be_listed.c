// MPI 5.0 section 15.3.8: "If the number of elements used by the event type is larger than the
// value of num_elements provided by the user, the number of datatype handles and displacements
// returned in the corresponding arrays is truncated to the value of num_elements passed in by the
// user." "If the user passes the NULL pointer for num_elements, the arguments num_elements,
// array_of_datatypes, and array_of_displacements are ignored." "array of byte displacements in the
// event buffer in ascending order starting with zero"
// ranks: 1 2
#include "events.h"

int main(void) {
    start_tools();
    int num = 0;
    CHECK_CODE(MPI_T_event_get_num(&num), MPI_SUCCESS);
    CHECK(num >= 3);
    for (int i = 0; i < num; ++i) {
        char name[64], description[256];
        int length = sizeof name, description_length = sizeof description, found = -1;
        int verbosity, bind, elements = 8, keys = -1;
        MPI_Datatype types[8];
        MPI_Aint places[8];
        MPI_T_enum names;
        MPI_Info info;
        CHECK_CODE(MPI_T_event_get_info(i, name, &length, &verbosity, types, places, &elements,
                                        &names, &info, description, &description_length, &bind),
                   MPI_SUCCESS);
        CHECK(elements >= 1 && elements <= 8 && strlen(name) >= 1 && strlen(description) >= 1);
        CHECK_EQUAL(places[0], 0);
        for (int k = 0; k < elements; ++k) {
            CHECK(types[k] == MPI_INT || types[k] == MPI_UNSIGNED_LONG_LONG);
            CHECK(k == 0 || places[k] >= places[k - 1] + (int)sizeof(int));
        }
        CHECK_SUCCESS(MPI_Info_get_nkeys(info, &keys));
        CHECK_EQUAL(keys, 0);
        CHECK_SUCCESS(MPI_Info_free(&info));
        int items = 0;
        CHECK_CODE(MPI_T_enum_get_info(names, &items, NULL, NULL), MPI_SUCCESS);
        CHECK_EQUAL(items, elements);
        CHECK_CODE(MPI_T_event_get_index(name, &found), MPI_SUCCESS);
        CHECK_EQUAL(found, i);
        types[1] = MPI_DATATYPE_NULL;
        int one = 1;
        CHECK_CODE(MPI_T_event_get_info(i, NULL, NULL, NULL, types, NULL, &one, NULL, NULL, NULL,
                                        NULL, NULL),
                   MPI_SUCCESS);
        CHECK_EQUAL(one, elements);
        CHECK(types[1] == MPI_DATATYPE_NULL);
        CHECK_CODE(MPI_T_event_get_info(i, NULL, NULL, NULL, types, places, NULL, NULL, NULL, NULL,
                                        NULL, NULL),
                   MPI_SUCCESS);
    }
    int index;
    CHECK_CODE(
        MPI_T_event_get_info(num, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_event_get_index("no_such_event", &index), MPI_T_ERR_INVALID_NAME);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
