// Image: a rank's private copy of the program's globals, made by cloning what ld.so has loaded
// (docs/images.md). The originals are rank 0's; every other rank has a clone of each private
// object: text mapped again from the same file, writable pages copied from a template that was
// taken before any constructor ran, and each relocated slot that leads into a private object moved
// along.
//
// A program compiled with --privatize needs no clones: an image then is a block of private data
// (privatized.h).
//
// Order of calls: capture() in the library's constructor; reserve() and make_image() from
// __libc_start_main; run_constructors() .. run_destructors() on the rank's own task.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

struct Image;

// A C-library function whose slot in private objects gets `function` instead.
struct FunctionOverride {
    const char *name;
    void *function;
};

// A C-library variable of which each rank has its own: at block + offset of the memory that the
// rank gives to make_image(), unless the executable holds the variable as a COPY, which then is it.
struct VariableOverride {
    const char *name;
    size_t offset;
};

struct Overrides {
    const FunctionOverride *functions;
    size_t function_count;
    const VariableOverride *variables;
    size_t variable_count;
};

// Examines what ld.so has loaded, refuses what cannot be cloned (a message that names the object,
// the reason and the remedy; exit code 2), takes the template, and writes the overrides into the
// originals. Before any constructor of the program. `shared_list`: further libraries of which all
// ranks share one instance, by the beginning of their file names, separated by colons; or nullptr.
void capture(const Overrides &overrides, const char *shared_list = nullptr);

// All that is done for a process of one rank that mpiexec has started: profiling tools come before
// libmpi. capture() does it, too.
void let_tools_intercept(const char *shared_list);

// Returns the memory that an image of `program` needs at once: what is written when it is made.
size_t image_bytes(int program);
// Returns false if images are blocks of variables (--privatize), which are smaller.
bool images_are_clones();

// Reserves address space for counts[p] clones of each program p and refreshes what the C library's
// constructor has set since capture(). Refuses (exit code 2) more than the kernel has mappings for.
void reserve_images(const int *counts, int program_count);

// Makes the next of the reserved clones; `number` (> 0) is what it is called in reports.
// `variables` is the rank's memory for VariableOverride; it lives as long as the image. Ends the
// process with a message when the kernel refuses a mapping.
Image *make_image(int number, void *variables, int program = 0);

// The next functions are for ranks that are added to a running job. The caller makes one such call
// at a time. Announces, before reserve_images(), that ranks may be added: at most about `count` at
// a time if the program is compiled with --privatize (others have no such limit).
void keep_room_for_more_images(int count);
// Reserves room for `count` more images of a program. Returns false, and the reason in `message`,
// if that fails.
bool reserve_more_images(int count, int program, char *message, size_t message_bytes);
int image_number(const Image *image); // that make_image() was given; nullptr: 0
// Gives back the memory of an image, or uses it again. No code of the image runs any more.
void remove_image(Image *image);

// Returns whether a private object that the process has loaded refers to one of these functions.
// May be called before the C library's constructor and before capture().
bool refers_to(const char *const *functions, size_t count, const char *shared_list);
// Returns whether the executable needs libmpi, itself or by its libraries, so that libmpi is not
// only preloaded.
bool program_needs_libmpi();

// Loads the executable at `path` beside the process's own, for ranks that run another program, or
// finds it if it is there; returns its number. The process's own is number 0. Refuses (exit code 2)
// what cannot be loaded so. `start_main`: what its _start gets for __libc_start_main. After
// capture() and the constructors of the originals; with ranks running by load_more_program() only.
int load_program(const char *path, void *start_main);

// Does the same while ranks run. Returns -1, and the reason in `message`, if the program is
// refused.
int load_more_program(const char *path, void *start_main, char *message, size_t message_bytes);

// Returns the _start of `image` if that is an image of a program other than the process's own; else
// nullptr.
void *entry_point(const Image *image);
// Looks up `name` in the global scope of such an image; nullptr: not found. Finds the real
// functions of the C library.
void *find_global(const Image *image, const char *name);
// Looks up `name` in the program of any image (nullptr: the process's own), for translate(). Safe
// in a signal handler.
const void *original_global(const Image *image, const char *name);

// Returns whether the process or a further program has loaded a library whose path passes `test`.
bool is_loaded_at_start(bool (*test)(const char *path));

// Call when all images are made: shows them to gdb, if they are few enough for it.
void publish_images();

// The image of the calling task: set at the start of each task and thread of a rank, before any
// code of the program runs there; a new thread has the originals (nullptr). Calls of shared
// libraries into the program (its own malloc, say) and dl_iterate_phdr go by it.
// Sets gs base, too; who switches tasks keeps it at gs_base_of(image).
void set_current_image(const Image *image);
const Image *current_image();
// Why a program that was compiled with --privatize is cloned, for messages; else nullptr.
const char *why_cloned();
// Distance to the image's private data in a program compiled with --privatize; else 0.
uintptr_t gs_base_of(const Image *image);

// The address in `image` of what stands at `address` in the originals (nullptr image: the
// originals).
void *translate(const Image *image, const void *address);
// The address in the original of what stands at `address`, in whichever image; `address` itself if
// it is in none.
const void *original_of(const void *address);
// Returns whether the address is in the calling rank's block of variables (--privatize).
bool is_in_block(const void *address);
// Returns the COPY of C-library variable `name` in `image`, or nullptr if the executable has none.
void *copied_variable(const Image *image, const char *name);

// DT_PREINIT_ARRAY, DT_INIT and DT_INIT_ARRAY of a clone, dependencies first; and the reverse.
void run_constructors(const Image &image, int argc, char **argv, char **environment);
void run_destructors(const Image *image); // nullptr: the originals
// Keeps ld.so from running the originals' destructors again when the process exits.
void disarm_original_destructors();

// Copies the image's own thread-local initial values (they may hold addresses of its globals) into
// the static TLS block of a new thread whose FS base is `thread_pointer`.
void initialise_tls(const Image *image, void *thread_pointer);

// The place of an address, for reports and the unwinder.
struct Location {
    const char *path = nullptr; // of the object's file; nullptr: in none
    uintptr_t offset = 0;       // address as the file numbers it (what addr2line wants)
    int clone = 0;              // number of the clone; 0: an original or a shared object
};

Location locate(const void *address);

} // namespace thrum
