// A shared library with variables that a program reads, writes, and takes addresses of.
struct shelf {
    int items;
    int *newest;
    const char *label;
};

extern int shelf_count; // the program has a copy of it
extern int shelf_list[16];
extern struct shelf shelves[2];
extern int *shelf_cursor;      // points into shelf_list
extern int (*shelf_hook)(int); // the program sets it
extern int program_number;     // the library uses the program's
extern int shelf_constructed;
int shelf_add(int item);
int shelf_sum(void);
int *shelf_address_of_count(void);
int shelf_program_number(void);
