// Random epochs as in rma/random_epochs_are_as_a_model, whose messages go through libfabric.
//
// ranks: 3
// modes: processes processes-2
// env: THRUM_FABRIC=tcp
// timeout: 120
#include "../rma/random_epochs_are_as_a_model.c"
