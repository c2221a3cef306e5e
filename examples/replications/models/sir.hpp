// SIR: an epidemic in a population where everybody meets everybody (Gillespie's direct method: a step is one event). It
// ends when nobody is infected.
parameter u64 steps = 100000;  // at most; each person has two events
parameter u32 population = 1000;
parameter u32 infected = 10;
parameter f64 infection = 2;  // contacts of an infected person per time, with anybody
parameter f64 recovery = 1;
stream times;
stream events;

struct State {
    u32 susceptible;
    u32 infected;
    u32 peak;
    f64 time = 0;
};

void start(State& s) { s = {population - infected, infected, infected, 0}; }

bool finished(State const& s) { return s.infected == 0; }

void step(State& s) {
    f64 const infections = infection * s.infected * s.susceptible / population;
    f64 const rate = infections + recovery * s.infected;
    s.time += times.exponential(1 / rate);
    bool const infects = events.uniform() * rate < infections;
    s.susceptible -= infects;
    s.infected += infects ? 1 : -1;
    s.peak = max(s.peak, s.infected);
}

result ever_infected = population - s.susceptible;
result peak = s.peak;
result duration = s.time;
