/* Ranks without blocks, in words: who, why, and what gives them some. */
#ifndef WEIR_SRC_REPORT_IDLE_RANKS_H
#define WEIR_SRC_REPORT_IDLE_RANKS_H

enum { WEIR_IDLE_RANKS_TEXT = 512 };

/* blocks[ranks]: of each rank. Returns how many ranks have none; text: a sentence about them, without a full
 * stop, empty where all have some. */
int weir_idle_ranks(const int *blocks, int ranks, char text[WEIR_IDLE_RANKS_TEXT]);

#endif
