// MPI 5.0 section 15.3.6: "On many systems, such variables can be set using environment variables,
// although other configuration mechanisms may be available, such as configuration files or central
// configuration registries."
// ranks: 2
// env: THRUM_EAGER_LIMIT=12345 THRUM_BUFFERED_LIMIT=2M THRUM_SPIN_LIMIT=7 THRUM_DEBUG=0 THRUM_STACK=512K
#include "variables.h"

int main(void) {
    start(NULL, NULL);
    start_tools();
    CHECK_EQUAL(get_control("eager_limit"), 12345);
    CHECK_EQUAL(get_control("buffered_limit"), 2 << 20);
    CHECK_EQUAL(get_control("spin_limit"), 7);
    CHECK_EQUAL(get_control("debug"), 0);
    CHECK_EQUAL(get_control("stack"), 512 << 10);
    CHECK_EQUAL(get_control("ranks"), 2);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
