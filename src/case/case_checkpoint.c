/* When a run writes what it needs to go on from there, and how many of these files stay. */
#include "graph/base/error.h"
#include "src/case/case_sections.h"

const struct weir_key weir_checkpoint_keys[] = {
    {.name = "every",
     .type = WEIR_KEY_STEPS,
     .usual = true,
     .about = "Steps between checkpoints, or in SI cases a time (\"0.1 s\").",
     .otherwise = "none at fixed steps",
     .examples = "[10]",
     .example = "10000",
     .least = 1,
     .most = WEIR_STEPS_MOST,
     .wanted = "the steps between checkpoints, 1 or more, such as 10000",
     WEIR_KEY_AT(struct weir_case, checkpoint.every)},
    {.name = "minutes",
     .type = WEIR_KEY_NUMBER,
     .positive = true,
     .about = "Minutes between checkpoints, by the clock; also beside `every`.",
     .otherwise = "none by the clock",
     .examples = "[30]",
     .wanted = "the minutes between checkpoints, more than 0, such as 30",
     WEIR_KEY_AT(struct weir_case, checkpoint.minutes)},
    {.name = "keep",
     .type = WEIR_KEY_INTEGER,
     .about =
         "How many checkpoints stay: the newest ones. An older one goes when a newer one is whole and on "
         "the disk.",
     .fallback = "2",
     .least = 1,
     .most = WEIR_STEPS_MOST,
     .example = "2",
     .wanted = "how many checkpoints stay, 1 or more, such as 2",
     WEIR_KEY_AT(struct weir_case, checkpoint.keep)},
    {.name = "buffer",
     .type = WEIR_KEY_NUMBER,
     .positive = true,
     .about =
         "Memory in MiB that each rank takes for copies of blocks that wait to be written; at least a copy "
         "of one block is there. Blocks for which there is none left wait with their next step.",
     .fallback = "1024",
     .wanted = "a number of MiB greater than 0, such as 1024",
     WEIR_KEY_AT(struct weir_case, checkpoint.buffer)},
    {.name = "compressed",
     .type = WEIR_KEY_BOOLEAN,
     .about =
         "Compress files without loss (HDF5's shuffle and deflate): smaller, and slower to write. Files that "
         "several ranks write together cannot be compressed.",
     .fallback = "false",
     .examples = "[true]",
     .wanted = "true or false: whether checkpoints are compressed",
     WEIR_KEY_AT(struct weir_case, checkpoint.compressed)},
    {.name = NULL},
};

int weir_case_read_checkpoint(const struct weir_json *root, struct weir_case *c) {
    const struct weir_json checkpoint = weir_json_member(root, "checkpoint");
    enum { KEEP = 2, BUFFER = 1024 };
    c->checkpoint = (struct weir_case_checkpoint){.keep = KEEP, .buffer = BUFFER};
    if (!weir_json_present(&checkpoint))
        return 0;
    WEIR_TRY(weir_json_object(&checkpoint, "an object such as {\"every\": 10000}"));
    c->checkpoint.wanted = true;
    return weir_keys_read(&checkpoint, weir_checkpoint_keys, &c->units, c);
}
