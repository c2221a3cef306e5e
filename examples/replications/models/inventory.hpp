// An (s, S) inventory, reviewed each evening: if the stock is below `reorder`, goods are ordered up to `up_to` and
// arrive the next morning. Demand of a day is Poisson; what is not in stock is lost.
parameter u64 steps = 365;  // days
parameter u32 reorder = 20;
parameter u32 up_to = 60;
parameter f64 demand = 12;
parameter f64 order_cost = 32;
parameter f64 unit_cost = 3;
parameter f64 holding_cost = 1;
parameter f64 lost_cost = 5;

struct State {
    u32 stock = 60;
    f64 cost = 0;
    u32 lost = 0;
};

void step(State& s) {
    u32 const wanted = draw.poisson(demand);
    u32 const sold = min(wanted, s.stock);
    s.stock -= sold;
    s.lost = wanted - sold;
    s.cost = holding_cost * s.stock + lost_cost * s.lost;
    if (s.stock < reorder) {
        s.cost += order_cost + unit_cost * (up_to - s.stock);
        s.stock = up_to;
    }
}

mean cost = s.cost;
mean lost = s.lost;
