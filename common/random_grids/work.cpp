#include "common/random_grids/work.hpp"

#include "common/random_grids/colour_shape.hpp"
#include "common/random_grids/dense_plan.hpp"
#include "common/random_grids/expected_steps.hpp"
#include "common/random_grids/pooled_plan.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::random_grids {

namespace {

// Expected random words for a set of `occupied` of `among` candidates on a board of this shape.
double words_of_set(Shape const& shape, Method method, unsigned among, unsigned occupied) {
    double words = 0;
    switch (method) {
        case Method::halving:
            return occupied == 0 ? 0 : shape.words() * typical_steps(among);
        case Method::list:
            return occupied;
        case Method::probe:
            for (unsigned i = 0; i < occupied; ++i)
                words += static_cast<double>(shape.sites()) / (among - i);
            return words;
        case Method::random_keys:
            return 2.0 * shape.sites();
        case Method::unranked:  // rejections are left out
            return shape.sites() <= 32 ? 1.5 : 3.5;
        case Method::tree: {
            unsigned const groups = (shape.sites() + 127) / 128;
            return 8.0 * groups + groups - 1;  // rejections are left out
        }
        case Method::dense:
        case Method::dense_warp:
        case Method::pooled:
            return 0;  // words_expected() uses their plans
    }
    return words;
}

// Words of a plane of a board of two colours; those of rejections are left out.
double colour_tree_words(unsigned sites) {
    double const top = sites > colour_group_sites ? 1 : 0;
    return top + 4.0 * simt::ceil_div(sites, colour_set_sites);
}

}  // namespace

double words_expected(Workload const& workload, Method method) {
    if (method == Method::dense)
        return dense_words(workload, *dense_team(workload));
    if (method == Method::dense_warp)
        return dense_words(workload, *dense_warp_team(workload));
    if (method == Method::pooled)
        return pooled_words(workload);
    unsigned among = workload.shape.sites();
    if (method == Method::tree && workload.planes() > 1)
        return colour_tree_words(among) + colour_tree_words(workload.occupied[0]);
    if (workload.mixed())
        return words_of_set(workload.shape, method, among, among / 2);
    double words = 0;
    for (unsigned const occupied : workload.occupied) {
        words += words_of_set(workload.shape, method, among, occupied);
        among = occupied;
    }
    return words;
}

bench::Work work_of(Workload const& workload, std::uint64_t streams, unsigned lanes, Method method) {
    bench::Work work;
    work.items = static_cast<double>(streams) * workload.length;
    work.bytes = 4.0 * static_cast<double>(streams) * workload.words_per_unit(lanes);
    work.operations = work.items * words_expected(workload, method);
    return work;
}

}  // namespace lockstep::random_grids
