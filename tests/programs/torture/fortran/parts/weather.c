// The C side of variables_are_shared_with_c_of_the_same_rank.f90.
int weather_days = 3;
extern double weather_warmest;

extern struct {
    double wind;
    int rain[2];
} clouds_;

void weather_report(void (*each)(int day));

void weather_report(void (*each)(int day)) {
    for (int day = 1; day <= weather_days; ++day)
        each(day);
    clouds_.wind = weather_days / 2.0;
    clouds_.rain[0] = weather_days;
    clouds_.rain[1] = -weather_days;
    weather_warmest = weather_days;
}
