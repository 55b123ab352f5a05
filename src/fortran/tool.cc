#include "fortran/tool.h"

#include "fortran/program/tool.h"

void thrum_fortran_call_tool(void (*function)(void)) {
    thrum::current_rank_thread().tool = function;
}

void thrum_fortran_call_either_form(const FortranForms *forms) {
    // The entry point for which it is knows what it is (take_either_form()).
    thrum::current_rank_thread().tool =
        reinterpret_cast<void (*)()>(const_cast<FortranForms *>(forms));
}
