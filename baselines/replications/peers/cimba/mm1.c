// M/M/1 on Cimba: `mm1 CLIENTS REPLICATIONS`. Each line of standard input runs all replications on all cores, and prints the seconds,
// the customers that were served and their mean time in the system.
//
// As in Cimba's own benchmark, a process makes customers and puts them into a queue, another one serves them, and the result is the
// sum of their times in the system. A customer is the time of its arrival.

#include <cimba.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cmi_mempool.h"

static double const service = 1.0;
static double const utilisation = 0.75;

static uint64_t clients;
static CMB_THREAD_LOCAL struct cmi_mempool customers = CMI_MEMPOOL_STATIC_INIT(8u, 512u);

struct replication {
    uint64_t served;
    double in_system;
};

struct model {
    struct replication* result;
    struct cmb_objectqueue* queue;
};

static void* arrive(struct cmb_process* self, void* context) {
    cmb_unused(self);
    struct model const* const model = context;
    for (uint64_t i = 0; i < clients; ++i) {
        cmb_process_hold(cmb_random_exponential(service / utilisation));
        double* const customer = cmi_mempool_alloc(&customers);
        *customer = cmb_time();
        cmb_objectqueue_put(model->queue, customer);
    }
    return NULL;
}

static void* serve(struct cmb_process* self, void* context) {
    cmb_unused(self);
    struct model const* const model = context;
    while (true) {
        void* customer = NULL;
        cmb_objectqueue_get(model->queue, &customer);
        cmb_process_hold(cmb_random_exponential(service));
        model->result->in_system += cmb_time() - *(double*)customer;
        ++model->result->served;
        cmi_mempool_free(&customers, customer);
    }
    return NULL;
}

static struct cmb_process* started(char const* name, cmb_process_func* body, struct model* model) {
    struct cmb_process* const process = cmb_process_create();
    cmb_process_initialize(process, name, body, model, 0);
    cmb_process_start(process);
    return process;
}

static void replicate(void* result) {
    cmb_logger_flags_off(CMB_LOGGER_INFO);
    cmb_random_initialize(cmb_random_hwseed());
    cmb_event_queue_initialize(0.0);
    struct model model = {result, cmb_objectqueue_create()};
    cmb_objectqueue_initialize(model.queue, "queue", CMB_UNLIMITED);
    struct cmb_process* const arrivals = started("arrivals", arrive, &model);
    struct cmb_process* const server = started("server", serve, &model);
    cmb_event_queue_execute();
    cmb_process_terminate(arrivals);
    cmb_process_destroy(arrivals);
    cmb_process_stop(server, NULL);
    cmb_process_terminate(server);
    cmb_process_destroy(server);
    cmb_objectqueue_terminate(model.queue);
    cmb_objectqueue_destroy(model.queue);
    cmb_event_queue_terminate();
    cmb_random_terminate();
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    clients = strtoull(arguments[1], NULL, 10);
    uint64_t const replications = strtoull(arguments[2], NULL, 10);
    char line[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct replication* const results = calloc(replications, sizeof *results);
        double const start = now();
        cimba_run(results, replications, sizeof *results, replicate);
        double const seconds = now() - start;
        struct replication sum = {0, 0.0};
        for (uint64_t i = 0; i < replications; ++i) {
            sum.served += results[i].served;
            sum.in_system += results[i].in_system;
        }
        free(results);
        printf("%.9f %llu %.9f\n", seconds, (unsigned long long)sum.served, sum.in_system / (double)sum.served);
        fflush(stdout);
    }
    return 0;
}
