// MPI 5.0 section 15.3.4: "All programs or tools that use the MPI tool information interface must
// initialize the MPI tool information interface in the processes that will use the interface before
// calling any other of its routines."
// ranks: 1
#include "variables.h"

static int checked;

static void check(const int *codes, size_t count) {
    for (size_t k = 0; k < count; ++k, ++checked)
        if (codes[k] != MPI_T_ERR_NOT_INITIALIZED) {
            fprintf(stderr, "call %d returned %d\n", checked, codes[k]);
            exit(1);
        }
}

static void check_variables(void) {
    char text[8];
    int a = 0, b = 8, c = 8, d, e, f, g, h;
    MPI_Datatype type;
    MPI_T_enum names;
    MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_handle measure = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_session none = MPI_T_PVAR_SESSION_NULL;
    unsigned long long value = 0;
    const int codes[] = {
        MPI_T_finalize(),
        MPI_T_enum_get_info(MPI_T_ENUM_NULL, &a, text, &b),
        MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &a, text, &b),
        MPI_T_cvar_get_num(&a),
        MPI_T_cvar_get_info(0, text, &b, &a, &type, &names, text, &c, &d, &e),
        MPI_T_cvar_get_index("eager_limit", &a),
        MPI_T_cvar_handle_alloc(0, NULL, &control, &a),
        MPI_T_cvar_handle_free(&control),
        MPI_T_cvar_read(control, &value),
        MPI_T_cvar_write(control, &value),
        MPI_T_pvar_get_num(&a),
        MPI_T_pvar_get_info(0, text, &b, &a, &d, &type, &names, text, &c, &e, &f, &g, &h),
        MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_COUNTER, &a),
        MPI_T_pvar_session_create(&none),
        MPI_T_pvar_session_free(&none),
        MPI_T_pvar_handle_alloc(none, 0, NULL, &measure, &a),
        MPI_T_pvar_handle_free(none, &measure),
        MPI_T_pvar_start(none, measure),
        MPI_T_pvar_stop(none, measure),
        MPI_T_pvar_read(none, measure, &value),
        MPI_T_pvar_readreset(none, measure, &value),
        MPI_T_pvar_reset(none, measure),
        MPI_T_pvar_write(none, measure, &value),
    };
    check(codes, sizeof codes / sizeof *codes);
}

static void check_categories_and_events(void) {
    char text[8];
    int a = 0, b = 8, c = 8, d, e, f, i;
    MPI_Count ticks, most;
    MPI_Datatype type;
    MPI_Aint displacement;
    MPI_Info info;
    MPI_T_enum names;
    MPI_T_source_order order;
    MPI_T_event_registration registration = NULL;
    MPI_T_event_instance instance = NULL;
    unsigned long long value = 0;
    const int codes[] = {
        MPI_T_category_get_num(&a),
        MPI_T_category_get_info(0, text, &b, text, &c, &d, &e, &f),
        MPI_T_category_get_num_events(0, &a),
        MPI_T_category_get_index("all", &a),
        MPI_T_category_get_cvars(0, 1, &i),
        MPI_T_category_get_pvars(0, 1, &i),
        MPI_T_category_get_events(0, 1, &i),
        MPI_T_category_get_categories(0, 1, &i),
        MPI_T_category_changed(&a),
        MPI_T_source_get_num(&a),
        MPI_T_source_get_info(0, text, &b, text, &c, &order, &ticks, &most, &info),
        MPI_T_source_get_timestamp(0, &ticks),
        MPI_T_event_get_num(&a),
        MPI_T_event_get_info(0, text, &b, &a, &type, &displacement, &d, &names, &info, text, &c,
                             &e),
        MPI_T_event_get_index("message_unexpected", &a),
        MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration),
        MPI_T_event_handle_free(registration, NULL, NULL),
        MPI_T_event_handle_set_info(registration, MPI_INFO_NULL),
        MPI_T_event_handle_get_info(registration, &info),
        MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL,
                                      NULL),
        MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL),
        MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info),
        MPI_T_event_set_dropped_handler(registration, NULL),
        MPI_T_event_read(instance, 0, &value),
        MPI_T_event_copy(instance, &value),
        MPI_T_event_get_timestamp(instance, &ticks),
        MPI_T_event_get_source(instance, &a),
    };
    check(codes, sizeof codes / sizeof *codes);
}

int main(void) {
    check_variables();
    check_categories_and_events();
    CHECK_EQUAL(checked, 50); // all of section 15.3 but MPI_T_init_thread
    return 0;
}
