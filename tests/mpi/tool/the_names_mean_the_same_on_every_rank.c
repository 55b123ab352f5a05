// MPI 5.0 section 15.3.6: "If the name of a control variable is equivalent across connected MPI
// processes, the following OUT parameters must be identical: verbosity, datatype, enumtype, bind,
// and scope. The returned description must be equivalent."
// ranks: 3
#include "variables.h"

typedef struct {
    char name[64], description[512];
    int numbers[4];
} Variable;

int main(void) {
    start(NULL, NULL);
    start_tools();
    int num = 0;
    CHECK_CODE(MPI_T_cvar_get_num(&num), MPI_SUCCESS);
    for (int i = 0; i < num; ++i) {
        Variable mine, first;
        memset(&mine, 0, sizeof mine);
        int length = sizeof mine.name, description_length = sizeof mine.description;
        MPI_Datatype type;
        CHECK_CODE(MPI_T_cvar_get_info(i, mine.name, &length, &mine.numbers[0], &type, NULL,
                                       mine.description, &description_length, &mine.numbers[1],
                                       &mine.numbers[2]),
                   MPI_SUCCESS);
        mine.numbers[3] = MPI_Type_toint(type);
        first = mine;
        MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
        CHECK(memcmp(&first, &mine, sizeof mine) == 0);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
