#include "graph/exchange.h"

#include "graph/base/error.h"
#include "graph/plan/parcels.h"
#include "graph/plan/parts.h"
#include "graph/ranks/rank_tags.h"
#include "graph/ranks/world.h"

#include <starpu_mpi.h>
#include <stdlib.h>
#include <string.h>

/* A parcel with its data, sent or received. */
struct parcel {
    const struct weir_parcel *plan;
    struct weir_packing packing;
};

struct weir_exchange {
    struct weir_domain *domain;
    struct weir_exchange_tasks *tasks;
    struct weir_parcels *plan;
    struct parcel *sent, *received; /* as many as planned */
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

static void register_pieces(const struct weir_parcel *plan, struct weir_packing *packing) {
    const size_t bytes = sizeof *plan->pieces * (size_t)plan->piece_count;
    packing->pieces = weir_register_bytes(bytes);
    starpu_data_acquire(packing->pieces, STARPU_W);
    memcpy((void *)starpu_vector_get_local_ptr(packing->pieces), plan->pieces, bytes);
    starpu_data_release(packing->pieces);
}

static void prepare(const struct weir_exchange *exchange, const struct weir_parcel *plan,
                    struct parcel *parcel) {
    struct weir_domain *domain = exchange->domain;
    parcel->plan = plan;
    parcel->packing = (struct weir_packing){
        .context = &domain->context,
        .rank = plan->rank,
        .message_count = plan->message_count,
        .piece_count = plan->piece_count,
        .populations = plan->populations,
        .home = {.part = -1, .border = true, .block = -1},
    };
    register_pieces(plan, &parcel->packing);
    for (int parity = 0; parity < 2; parity++) {
        for (int k = 0; k < plan->message_count; k++)
            parcel->packing.message[parity][k] =
                weir_domain_message(domain, plan->messages[k].block, plan->messages[k].face, parity);
        parcel->packing.parcel[parity] =
            weir_register_bytes((size_t)plan->populations * domain->context.kernels->stored_size);
    }
}

int weir_exchange_create(struct weir_domain *domain, struct weir_exchange_tasks *tasks,
                         struct weir_exchange **result) {
    struct weir_exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange)
        return weir_fail(WEIR_FAILED, "out of memory for the exchange between ranks");
    exchange->domain = domain;
    exchange->tasks = tasks;
    int error = weir_parcels_create(&domain->context.messages, &domain->grid, domain->rank_of,
                                    weir_world_rank(domain->world), domain->set.blocks, domain->set.count,
                                    &exchange->plan);
    if (error == 0) {
        exchange->sent = calloc((size_t)exchange->plan->sent_count + 1, sizeof *exchange->sent);
        exchange->received = calloc((size_t)exchange->plan->received_count + 1, sizeof *exchange->received);
        if (!exchange->sent || !exchange->received)
            error = weir_fail(WEIR_FAILED, "out of memory for the exchange between ranks");
    }
    if (error != 0) {
        weir_parcels_destroy(exchange->plan);
        free(exchange->sent);
        free(exchange->received);
        free(exchange);
        return error;
    }
    for (int k = 0; k < exchange->plan->sent_count; k++)
        prepare(exchange, &exchange->plan->sent[k], &exchange->sent[k]);
    for (int k = 0; k < exchange->plan->received_count; k++)
        prepare(exchange, &exchange->plan->received[k], &exchange->received[k]);
    *result = exchange;
    return 0;
}

static void release(struct parcel *parcels, int count) {
    for (int k = 0; k < count; k++) {
        starpu_data_unregister_no_coherency(parcels[k].packing.pieces);
        for (int parity = 0; parity < 2; parity++)
            starpu_data_unregister_no_coherency(parcels[k].packing.parcel[parity]);
    }
    free(parcels);
}

void weir_exchange_destroy(struct weir_exchange *exchange) {
    if (!exchange)
        return;
    release(exchange->sent, exchange->plan->sent_count);
    release(exchange->received, exchange->plan->received_count);
    weir_parcels_destroy(exchange->plan);
    free(exchange);
}

/* Parts at home to the blocks of this rank that a parcel concerns: those that write its messages, or those
 * around the block that wrote them elsewhere. */
static void count_homes(const struct weir_domain *domain, int block, int *count) {
    const struct weir_block *here = weir_domain_block(domain, block);
    if (here) {
        if (here->home.part >= 0)
            count[here->home.part]++;
        return;
    }
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int reader = weir_block_grid_neighbour(&domain->grid, block, weir_offset(k).along);
        if (reader >= 0 && weir_domain_block(domain, reader))
            count_homes(domain, reader, count);
    }
}

static void follow(const struct weir_domain *domain, struct parcel *parcels, int count) {
    for (int k = 0; k < count; k++) {
        int blocks[WEIR_PARTS_MAX] = {0}, most = 0;
        for (int m = 0; m < parcels[k].plan->message_count; m++)
            count_homes(domain, parcels[k].plan->messages[m].block, blocks);
        for (int part = 1; part < WEIR_PARTS_MAX; part++)
            if (blocks[part] > blocks[most])
                most = part;
        parcels[k].packing.home.part = blocks[most] > 0 ? most : -1;
    }
}

void weir_exchange_follow_homes(struct weir_exchange *exchange) {
    follow(exchange->domain, exchange->sent, exchange->plan->sent_count);
    follow(exchange->domain, exchange->received, exchange->plan->received_count);
}

/* Sender and receiver count their parcels alike, so the number with the parity tells them apart. */
static starpu_mpi_tag_t tag_of(const struct weir_parcel *plan, int sender, int parity) {
    return weir_tag(WEIR_MESSAGE_PARCEL, sender, 2 * (int64_t)plan->number + parity);
}

/* An end of a message that is not there. */
static int stand_in(const struct weir_exchange *exchange, const struct parcel *parcel, int parity,
                    enum starpu_data_access_mode mode) {
    struct weir_task_kind *kind = &exchange->tasks->message;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, parcel->packing.parcel[parity], mode);
    return weir_check_submitted(weir_task_submit(kind, &buffers, &(struct weir_task_options){0}), kind);
}

static int receive(const struct weir_exchange *exchange, const struct parcel *parcel, int parity) {
    const struct weir_world *world = exchange->domain->world;
    if (weir_world_pretends(world))
        return stand_in(exchange, parcel, parity, STARPU_W);
    return weir_check_message(starpu_mpi_irecv_detached(parcel->packing.parcel[parity], parcel->plan->rank,
                                                        tag_of(parcel->plan, parcel->plan->rank, parity),
                                                        weir_world_comm(world), NULL, NULL));
}

static int send(const struct weir_exchange *exchange, const struct parcel *parcel, int parity) {
    const struct weir_world *world = exchange->domain->world;
    if (weir_world_pretends(world))
        return stand_in(exchange, parcel, parity, STARPU_R);
    return weir_check_message(starpu_mpi_isend_detached(parcel->packing.parcel[parity], parcel->plan->rank,
                                                        tag_of(parcel->plan, weir_world_rank(world), parity),
                                                        weir_world_comm(world), NULL, NULL));
}

int weir_exchange_submit(struct weir_exchange *exchange, int parity) {
    for (int k = 0; k < exchange->plan->received_count; k++)
        WEIR_TRY(receive(exchange, &exchange->received[k], parity));
    for (int k = 0; k < exchange->plan->sent_count; k++) {
        struct parcel *parcel = &exchange->sent[k];
        WEIR_TRY(weir_check_submitted(weir_pack_submit(&exchange->tasks->pack, &parcel->packing, parity),
                                      &exchange->tasks->pack));
        WEIR_TRY(send(exchange, parcel, parity));
    }
    for (int k = 0; k < exchange->plan->received_count; k++)
        WEIR_TRY(weir_check_submitted(
            weir_unpack_submit(&exchange->tasks->unpack, &exchange->received[k].packing, parity),
            &exchange->tasks->unpack));
    return 0;
}

struct weir_exchange_volume weir_exchange_volume(const struct weir_exchange *exchange) {
    struct weir_exchange_volume volume = {.parcels = exchange->plan->sent_count};
    for (int k = 0; k < exchange->plan->sent_count; k++) {
        const struct weir_parcel *plan = exchange->sent[k].plan;
        volume.neighbours += k == 0 || plan->rank != exchange->sent[k - 1].plan->rank;
        volume.bytes += plan->populations * (int64_t)exchange->domain->context.kernels->stored_size;
    }
    return volume;
}
