// Random epochs as in rma/random_epochs_are_as_a_model, where no process may read the memory of
// another.
//
// ranks: 4
// modes: processes processes-2
// env: THRUM_SINGLE_COPY=0 THRUM_TEST_SEED=77
// timeout: 120
#include "../rma/random_epochs_are_as_a_model.c"
