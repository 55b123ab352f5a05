// The same where bytes between processes go through the network, as between nodes.
// ranks: 3 6
// env: THRUM_FABRIC=tcp
// modes: processes processes-2
// timeout: 120
#include "random_programs_agree_with_a_model.c"
