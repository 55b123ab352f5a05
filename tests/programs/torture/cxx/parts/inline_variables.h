// Variables and functions that several files, and libraries, define inline: one of each in a rank.
#include <string>
inline int inline_number = 5;
inline std::string inline_text = "dynamically initialised, longer than a small string";

inline int count() {
    static int calls = 0;
    return ++calls;
}

struct Holder {
    static inline int number = 7;
    static inline int *pointer = &number;
    static constexpr int constant = 9;
};

struct Single {
    int value;

    explicit Single(int v) : value(v) {}

    ~Single() {}

    static Single &get() {
        static Single single(100);
        return single;
    }
};

template <class T>
struct Numbered {
    static int number;
    static T value;
};
template <class T>
int Numbered<T>::number = 10;
template <class T>
T Numbered<T>::value{};
template <class T>
inline T variable = T(3);

template <class T>
int calls_of() {
    static int calls;
    return ++calls;
}

int use_there(int amount);
void *address_there(int which);
