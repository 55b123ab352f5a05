// The interface of the plug-in of plugins_c.c. It refers to the program's program_variable.
#pragma once

struct plugin_state {
    int constructions; // of this instance
    int value;         // 40 at first
    int *pointer;      // &value
    int big[3000];     // .bss
};

extern int program_variable;
void program_hears_of_end(int value);

struct plugin_state *plugin_state(void);
int plugin_next(void);            // 1, 2, ...
int plugin_of_program(void);      // program_variable
int **plugin_thread_local(void);  // thread-local, at first &value
int *plugin_thread_counter(void); // thread-local, at first 7
int *plugin_thread_zero(void);    // thread-local, at first 0
int plugin_indirect(void);        // by an indirect function: value + 1
int plugin_dependency(void);      // of the library that it needs: 1, 2, ...
