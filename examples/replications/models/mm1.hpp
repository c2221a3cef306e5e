// M/M/1 whose customers are shared by the lanes of a GPU: a run of customers turns the work w into max(w + plus,
// floor), and such runs compose. Time has 24 fractional bits, so that every order of composition gives the same bits.
parameter u64 steps = 10000;  // customers
parameter f64 utilisation = 0.75;

struct State {
    i64 work = 0;  // after a customer has joined
    i64 service = 0;
};
struct Piece {
    i64 plus = 0;
    i64 floor = -(1ll << 61);
    i64 service = 0;  // of the last customer
};

static i64 fixed(f64 time) { return static_cast<i64>(time * 0x1p24); }

Piece piece() {
    i64 const gap = fixed(draw.exponential(1 / utilisation));
    i64 const service = fixed(draw.exponential(1.0));
    return {service - gap, service, service};
}
static Piece compose(Piece const& first, Piece const& second) {
    return {first.plus + second.plus, max(first.floor + second.plus, second.floor), second.service};
}
void apply(State& s, Piece const& piece) { s = {max(s.work + piece.plus, piece.floor), piece.service}; }

mean in_queue = (s.work - s.service) * 0x1p-24;
mean in_system = s.work * 0x1p-24;
