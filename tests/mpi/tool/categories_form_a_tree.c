// MPI 5.0 section 15.3.9: "Categories can also contain other categories to form a hierarchical
// grouping. Categories can never include themselves, either directly or transitively within other
// included categories." Section 15.3.9: "Starting from array index 0, each function writes up to
// len elements into the array. If the category contains more than len elements, the function
// returns an arbitrary subset of size len. Otherwise, the entire set of elements is returned in the
// beginning entries of the array, and any remaining array entries are not modified."
// ranks: 1 2
#include "variables.h"

enum { kMost = 100 };

static int parents[kMost], of_control[kMost], of_measure[kMost], of_event[kMost];

typedef int Members(int category, int length, int indices[]);

// Notes in `owner` that the category has these members; checks what is cut and what is left alone.
static void check_members(Members *members, int category, int count, int *owner) {
    int indices[kMost], few[kMost];
    for (int i = 0; i < kMost; ++i)
        indices[i] = few[i] = -5;
    CHECK_CODE(members(category, kMost, indices), MPI_SUCCESS);
    for (int i = 0; i < kMost; ++i)
        CHECK_EQUAL(indices[i] >= 0, i < count);
    for (int i = 0; i < count; ++i) {
        CHECK_EQUAL(owner[indices[i]], -1); // each is in one category
        owner[indices[i]] = category;
    }
    if (count > 0) {
        CHECK_CODE(members(category, count - 1, few), MPI_SUCCESS);
        CHECK_EQUAL(few[count - 1], -5);
    }
    CHECK_CODE(members(category, 0, NULL), MPI_SUCCESS);
    CHECK_CODE(members(category, -1, few), MPI_T_ERR_INVALID);
    CHECK_CODE(members(-1, 1, few), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(members(kMost, 1, few), MPI_T_ERR_INVALID_INDEX);
}

int main(void) {
    start_tools();
    int categories = 0, controls = 0, measures = 0, events = 0;
    for (int i = 0; i < kMost; ++i)
        parents[i] = of_control[i] = of_measure[i] = of_event[i] = -1;
    CHECK_CODE(MPI_T_category_get_num(&categories), MPI_SUCCESS);
    CHECK(categories >= 5 && categories <= kMost);
    for (int i = 0; i < categories; ++i) {
        char name[64], description[256];
        int length = sizeof name, description_length = sizeof description, found = -1;
        int num_controls, num_measures, num_categories, num_events;
        CHECK_CODE(MPI_T_category_get_info(i, name, &length, description, &description_length,
                                           &num_controls, &num_measures, &num_categories),
                   MPI_SUCCESS);
        CHECK_CODE(MPI_T_category_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                   MPI_SUCCESS);
        CHECK(strlen(name) >= 1);
        CHECK_CODE(MPI_T_category_get_index(name, &found), MPI_SUCCESS);
        CHECK_EQUAL(found, i);
        CHECK_CODE(MPI_T_category_get_num_events(i, &num_events), MPI_SUCCESS);
        check_members(MPI_T_category_get_cvars, i, num_controls, of_control);
        check_members(MPI_T_category_get_pvars, i, num_measures, of_measure);
        check_members(MPI_T_category_get_events, i, num_events, of_event);
        check_members(MPI_T_category_get_categories, i, num_categories, parents);
    }
    int roots = 0;
    for (int i = 0; i < categories; ++i) {
        int steps = 0;
        for (int k = i; parents[k] >= 0; k = parents[k])
            CHECK(++steps < categories);
        roots += parents[i] < 0;
    }
    CHECK_EQUAL(roots, 1);
    CHECK_CODE(MPI_T_cvar_get_num(&controls), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_get_num(&measures), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_get_num(&events), MPI_SUCCESS);
    for (int i = 0; i < controls; ++i)
        CHECK(of_control[i] >= 0);
    for (int i = 0; i < measures; ++i)
        CHECK(of_measure[i] >= 0);
    for (int i = 0; i < events; ++i)
        CHECK(of_event[i] >= 0);
    int none;
    CHECK_CODE(MPI_T_category_get_index("no such category", &none), MPI_T_ERR_INVALID_NAME);
    CHECK_CODE(MPI_T_category_get_info(categories, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
               MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_category_get_num_events(categories, &none), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
