// Two queues in a row. Customers arrive at random, each server takes an exponential time, and the waiting rooms are
// unlimited. A customer leaves the first server when it has finished there, and the second when it has finished both.
parameter u64 steps = 10000;  // customers
parameter f64 first_utilisation = 0.5;
parameter f64 second_utilisation = 0.8;
stream arrivals;
stream first_services;
stream second_services;

struct State {
    f64 arrival = 0;
    f64 left_first = 0;
    f64 left_second = 0;
};

void step(State& s) {
    s.arrival += arrivals.exponential(1.0);
    s.left_first = max(s.arrival, s.left_first) + first_services.exponential(first_utilisation);
    s.left_second = max(s.left_first, s.left_second) + second_services.exponential(second_utilisation);
}

mean first = s.left_first - s.arrival;
mean second = s.left_second - s.left_first;
mean both = s.left_second - s.arrival;
result departures_per_time = steps / s.left_second;
