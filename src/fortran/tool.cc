#include "fortran/tool.h"

#include "fortran/program/tool.h"

void thrum_fortran_call_tool(void (*function)(void)) {
    thrum::current_rank_thread().tool = function;
}
