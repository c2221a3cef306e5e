// G/G/1: one server, first come first served. Gaps between arrivals and services are gamma distributed: `phases`
// phases, 1 is exponential. The state is the work that is left after a customer has joined (Lindley's recursion).
parameter u64 steps = 10000;  // customers
parameter f64 utilisation = 0.8;
parameter u32 gap_phases = 1;
parameter u32 service_phases = 1;
stream arrivals;
stream services;

struct State {
    f64 work = 0;
    f64 wait = 0;
};

void step(State& s) {
    s.wait = max(s.work - arrivals.erlang(gap_phases, 1 / utilisation), 0.0);
    s.work = s.wait + services.erlang(service_phases, 1.0);
}

mean wait = s.wait;
mean time_in_system = s.work;
mean delayed = s.wait > 0;
