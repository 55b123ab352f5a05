// A library with state, and with pointers back into the program
// (tests/programs/image/own_libraries.c).
#ifndef COUNTER_H
#define COUNTER_H

extern int counter_value;                  // the program refers to it directly: COPY
extern int *counter_pointer;               // a COPY that holds a pointer to another one
extern int *(*counter_functions[2])(void); // a COPY that holds pointers to the library's functions
int counter_next(void);
int *counter_address(void);
int counter_call_back(int argument); // calls what the program has defined
int counter_constructions(void);
int *counter_thread_local(void);
int counter_replaceable(void); // the program defines it, too: interposition
int counter_calls_replaceable(void);

// Defined by the program.
extern int program_variable;
int program_function(int argument);
#endif
