#include "graph/lanes.h"

#include "graph/ranks/rank_tags.h"

#include <starpu_mpi.h>

void weir_lanes_init(struct weir_lanes *lanes, const struct weir_world *world, int number, int blocks) {
    lanes->world = world;
    lanes->number = number;
    lanes->blocks = blocks;
    lanes->observations = 0;
    for (int k = 0; k < WEIR_LANES; k++)
        lanes->lane[k] = (struct weir_lane){.lanes = lanes};
    pthread_mutex_init(&lanes->sending, NULL);
    pthread_cond_init(&lanes->sent, NULL);
}

static int64_t lane_number(const struct weir_lanes *lanes) {
    return lanes->observations % WEIR_LANES;
}

static void wait_for_lane(struct weir_lanes *lanes, const struct weir_lane *lane) {
    pthread_mutex_lock(&lanes->sending);
    while (lane->messages > 0)
        pthread_cond_wait(&lanes->sent, &lanes->sending);
    pthread_mutex_unlock(&lanes->sending);
}

void weir_lanes_drain(struct weir_lanes *lanes) {
    for (int k = 0; k < WEIR_LANES; k++)
        wait_for_lane(lanes, &lanes->lane[k]);
}

void weir_lanes_enter(struct weir_lanes *lanes) {
    wait_for_lane(lanes, &lanes->lane[lane_number(lanes)]);
}

static starpu_mpi_tag_t tag_of(const struct weir_lanes *lanes, int sender, int block, int piece) {
    const int64_t lane = (int64_t)lanes->number * WEIR_LANES + lane_number(lanes);
    return weir_tag(WEIR_MESSAGE_VALUES, sender,
                    (lane * WEIR_BLOCK_MESSAGES + piece) * lanes->blocks + block);
}

/* Called by the thread that moves messages. */
static void message_sent(void *argument) {
    struct weir_lane *lane = argument;
    struct weir_lanes *lanes = lane->lanes;
    pthread_mutex_lock(&lanes->sending);
    if (--lane->messages == 0)
        pthread_cond_signal(&lanes->sent);
    pthread_mutex_unlock(&lanes->sending);
}

int weir_lanes_send(struct weir_lanes *lanes, starpu_data_handle_t values, int block, int piece, int to) {
    struct weir_lane *lane = &lanes->lane[lane_number(lanes)];
    pthread_mutex_lock(&lanes->sending);
    lane->messages++;
    pthread_mutex_unlock(&lanes->sending);
    const int error = weir_check_message(
        starpu_mpi_isend_detached(values, to, tag_of(lanes, weir_world_rank(lanes->world), block, piece),
                                  weir_world_comm(lanes->world), message_sent, lane));
    if (error != 0)
        message_sent(lane); /* as far as anyone will wait */
    return error;
}

int weir_lanes_receive(struct weir_lanes *lanes, starpu_data_handle_t values, int block, int piece,
                       int from) {
    return weir_check_message(starpu_mpi_irecv_detached(values, from, tag_of(lanes, from, block, piece),
                                                        weir_world_comm(lanes->world), NULL, NULL));
}

void weir_lanes_next(struct weir_lanes *lanes) {
    lanes->observations++;
}
