/* Standard input, output and error as a caller may leave them: closed, or with nobody who reads. */
#ifndef WEIR_SRC_COMMON_STANDARD_STREAMS_H
#define WEIR_SRC_COMMON_STANDARD_STREAMS_H

/* To be called first of all. Opens /dev/null for those that are closed, so that no file which is opened later
 * takes their place and gets what is meant for them; and writing to a pipe that nobody reads any more does
 * not end the program. */
void weir_standard_streams_prepare(void);

/* Writes out what is left for standard output. Error: -WEIR_FAILED when something could not be written, but
 * not where its reader has left: that was the reader's choice. */
int weir_standard_output_finish(void);

#endif
