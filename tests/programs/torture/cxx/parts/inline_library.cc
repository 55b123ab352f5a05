#include "inline_variables_other.cc"
