#include "graph/exchange.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/plan/halo_messages.h"
#include "graph/plan/worker_groups.h"
#include "graph/problem/problem_kernels.h"
#include "graph/ranks/rank_tags.h"
#include "graph/ranks/world.h"

#include <starpu_mpi.h>
#include <stdlib.h>
#include <string.h>

/* A halo message with its data, sent or received. */
struct halo {
    const struct weir_halo_message *plan;
    struct weir_packing packing;
};

/* Of one channel. */
struct lane {
    int channel;
    size_t value_size;
    const struct weir_kernels *kernels;
    struct weir_halo_messages *plan;
    struct halo *sent, *received; /* as many as planned */
};

struct weir_exchange {
    struct weir_domain *domain;
    struct weir_exchange_tasks *tasks;
    struct lane lanes[WEIR_CHANNELS_MAX]; /* by channel */
    int lane_count;
};

void weir_exchange_define(struct weir_exchange_tasks *tasks, const struct weir_kernels *kernels,
                          unsigned where) {
    weir_pack_define(&tasks->pack, kernels);
    weir_unpack_define(&tasks->unpack, kernels);
    weir_task_kind_init(&tasks->message, "message", kernels, NULL, NULL);
    tasks->message.codelet.where = STARPU_NOWHERE;
    tasks->pack.codelet.where &= where;
    tasks->unpack.codelet.where &= where;
}

static void register_segments(const struct weir_halo_message *plan, struct weir_packing *packing) {
    const size_t bytes = sizeof *plan->segments * (size_t)plan->segment_count;
    packing->segments = weir_register_bytes(bytes);
    starpu_data_acquire(packing->segments, STARPU_W);
    memcpy((void *)starpu_vector_get_local_ptr(packing->segments), plan->segments, bytes);
    starpu_data_release(packing->segments);
}

static void prepare(struct weir_domain *domain, const struct lane *lane, const struct weir_halo_message *plan,
                    struct halo *halo) {
    const size_t bytes = (size_t)plan->populations * lane->value_size;
    halo->plan = plan;
    halo->packing = (struct weir_packing){
        .context = &domain->context,
        .kernels = lane->kernels,
        .rank = plan->rank,
        .message_count = plan->message_count,
        .segment_count = plan->segment_count,
        .bytes = (int64_t)bytes,
        .home = {.group = -1, .border = true, .block = -1},
    };
    register_segments(plan, &halo->packing);
    for (int parity = 0; parity < 2; parity++) {
        for (int k = 0; k < plan->message_count; k++)
            halo->packing.message[parity][k] = weir_domain_message(
                domain, lane->channel, plan->messages[k].block, plan->messages[k].face, parity);
        halo->packing.halo[parity] = weir_register_bytes(bytes);
    }
}

/* Bits are moved as they are: any kernels will do whose populations are as large. */
static int find_kernels(const struct weir_domain *domain, size_t value_size,
                        const struct weir_kernels **kernels) {
    struct weir_problem alike = *domain->problem;
    *kernels = domain->context.kernels[WEIR_BRICK];
    if ((*kernels)->stored_size == value_size)
        return 0;
    alike.precision = (enum weir_precision)0;
    while (weir_precision_row(alike.precision)->stored_bytes != value_size)
        alike.precision++;
    const unsigned where = (*kernels)->cuda ? WEIR_KERNELS_CUDA : 0;
    return weir_problem_kernels(&alike, WEIR_BRICK, where, kernels);
}

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the exchange between ranks");
}

static int create_lane(struct weir_domain *domain, int channel, struct lane *lane) {
    lane->channel = channel;
    lane->value_size = domain->model.channel[channel].value_size;
    WEIR_TRY(find_kernels(domain, lane->value_size, &lane->kernels));
    WEIR_TRY(weir_halo_messages_create(&domain->model.channel[channel].layout, &domain->grid, domain->rank_of,
                                       weir_world_rank(domain->world), domain->set.blocks, domain->set.count,
                                       &lane->plan));
    lane->sent = calloc((size_t)lane->plan->sent_count + 1, sizeof *lane->sent);
    lane->received = calloc((size_t)lane->plan->received_count + 1, sizeof *lane->received);
    if (!lane->sent || !lane->received)
        return out_of_memory();
    for (int k = 0; k < lane->plan->sent_count; k++)
        prepare(domain, lane, &lane->plan->sent[k], &lane->sent[k]);
    for (int k = 0; k < lane->plan->received_count; k++)
        prepare(domain, lane, &lane->plan->received[k], &lane->received[k]);
    return 0;
}

int weir_exchange_create(struct weir_domain *domain, struct weir_exchange_tasks *tasks,
                         struct weir_exchange **result) {
    struct weir_exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange)
        return out_of_memory();
    exchange->domain = domain;
    exchange->tasks = tasks;
    for (int channel = 0; channel < domain->model.channel_count; channel++) {
        exchange->lane_count = channel + 1;
        const int error = create_lane(domain, channel, &exchange->lanes[channel]);
        if (error != 0) {
            weir_exchange_destroy(exchange);
            return error;
        }
    }
    *result = exchange;
    return 0;
}

static void release(struct halo *halos, int count) {
    for (int k = 0; k < count && halos && halos[k].plan; k++) {
        starpu_data_unregister_no_coherency(halos[k].packing.segments);
        for (int parity = 0; parity < 2; parity++)
            starpu_data_unregister_no_coherency(halos[k].packing.halo[parity]);
    }
    free(halos);
}

void weir_exchange_destroy(struct weir_exchange *exchange) {
    if (!exchange)
        return;
    for (int k = 0; k < exchange->lane_count; k++) {
        struct lane *lane = &exchange->lanes[k];
        if (lane->plan) {
            release(lane->sent, lane->plan->sent_count);
            release(lane->received, lane->plan->received_count);
        }
        weir_halo_messages_destroy(lane->plan);
    }
    free(exchange);
}

/* Worker groups at home to the blocks of this rank that a halo message concerns: those that write its
 * messages, or those around the block that wrote them elsewhere. */
static void count_homes(const struct weir_domain *domain, int block, int *count) {
    const struct weir_block *here = weir_domain_block(domain, block);
    if (here) {
        if (here->home.group >= 0)
            count[here->home.group]++;
        return;
    }
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int reader = weir_block_grid_neighbour(&domain->grid, block, weir_offset(k).along);
        if (reader >= 0 && weir_domain_block(domain, reader))
            count_homes(domain, reader, count);
    }
}

static void follow(const struct weir_domain *domain, struct halo *halos, int count) {
    for (int k = 0; k < count; k++) {
        int blocks[WEIR_WORKER_GROUPS_MAX] = {0}, most = 0;
        for (int m = 0; m < halos[k].plan->message_count; m++)
            count_homes(domain, halos[k].plan->messages[m].block, blocks);
        for (int group = 1; group < WEIR_WORKER_GROUPS_MAX; group++)
            if (blocks[group] > blocks[most])
                most = group;
        halos[k].packing.home.group = blocks[most] > 0 ? most : -1;
    }
}

void weir_exchange_follow_homes(struct weir_exchange *exchange) {
    for (int k = 0; k < exchange->lane_count; k++) {
        const struct lane *lane = &exchange->lanes[k];
        follow(exchange->domain, lane->sent, lane->plan->sent_count);
        follow(exchange->domain, lane->received, lane->plan->received_count);
    }
}

/* Sender and receiver count their halo messages alike, so the number with the channel and the parity tells
 * them apart.
 */
static starpu_mpi_tag_t tag_of(const struct lane *lane, const struct weir_halo_message *plan, int sender,
                               int parity) {
    return weir_tag(WEIR_MESSAGE_HALO, sender,
                    WEIR_CHANNELS_MAX * (2 * (int64_t)plan->number + parity) + lane->channel);
}

/* An end of a message that is not there. */
static int stand_in(const struct weir_exchange *exchange, const struct halo *halo, int parity,
                    enum starpu_data_access_mode mode) {
    struct weir_task_kind *kind = &exchange->tasks->message;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, halo->packing.halo[parity], mode);
    return weir_check_submitted(weir_task_submit(kind, &buffers, &(struct weir_task_options){0}), kind);
}

static int receive(const struct weir_exchange *exchange, const struct lane *lane, const struct halo *halo,
                   int parity) {
    const struct weir_world *world = exchange->domain->world;
    if (weir_world_pretends(world))
        return stand_in(exchange, halo, parity, STARPU_W);
    return weir_check_message(starpu_mpi_irecv_detached(halo->packing.halo[parity], halo->plan->rank,
                                                        tag_of(lane, halo->plan, halo->plan->rank, parity),
                                                        weir_world_comm(world), NULL, NULL));
}

static int send(const struct weir_exchange *exchange, const struct lane *lane, const struct halo *halo,
                int parity) {
    const struct weir_world *world = exchange->domain->world;
    if (weir_world_pretends(world))
        return stand_in(exchange, halo, parity, STARPU_R);
    return weir_check_message(starpu_mpi_isend_detached(
        halo->packing.halo[parity], halo->plan->rank,
        tag_of(lane, halo->plan, weir_world_rank(world), parity), weir_world_comm(world), NULL, NULL));
}

static int exchange_channel(struct weir_exchange *exchange, struct lane *lane, int parity) {
    struct weir_exchange_tasks *tasks = exchange->tasks;
    for (int k = 0; k < lane->plan->received_count; k++)
        WEIR_TRY(receive(exchange, lane, &lane->received[k], parity));
    for (int k = 0; k < lane->plan->sent_count; k++) {
        struct halo *halo = &lane->sent[k];
        WEIR_TRY(weir_check_submitted(weir_pack_submit(&tasks->pack, &halo->packing, parity), &tasks->pack));
        WEIR_TRY(send(exchange, lane, halo, parity));
    }
    for (int k = 0; k < lane->plan->received_count; k++)
        WEIR_TRY(weir_check_submitted(weir_unpack_submit(&tasks->unpack, &lane->received[k].packing, parity),
                                      &tasks->unpack));
    return 0;
}

int weir_exchange_submit(struct weir_exchange *exchange, uint32_t channels, int parity) {
    for (int k = 0; k < exchange->lane_count; k++)
        if (channels >> k & 1)
            WEIR_TRY(exchange_channel(exchange, &exchange->lanes[k], parity));
    return 0;
}

struct weir_exchange_volume weir_exchange_volume(const struct weir_exchange *exchange) {
    struct weir_exchange_volume volume = {0}; /* first of an even and an odd step together */
    for (int n = 0; n < exchange->lane_count; n++) {
        const struct lane *lane = &exchange->lanes[n];
        const int uses = weir_model_channel_uses(&exchange->domain->model, lane->channel);
        int neighbours = 0;
        for (int k = 0; k < lane->plan->sent_count; k++) {
            neighbours += k == 0 || lane->sent[k].plan->rank != lane->sent[k - 1].plan->rank;
            volume.bytes += uses * lane->sent[k].packing.bytes;
        }
        /* All go to the blocks around: the ranks of the widest channel are those of all. */
        volume.neighbours = neighbours > volume.neighbours ? neighbours : volume.neighbours;
        volume.halos += uses * lane->plan->sent_count;
    }
    volume.bytes /= 2;
    volume.halos = (volume.halos + 1) / 2;
    return volume;
}
