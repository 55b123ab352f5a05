// Variables of another file, for access.c.
int of_another_file;
double array_of_another_file[4096];
