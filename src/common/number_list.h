/* Numbers on command lines. */
#ifndef WEIR_SRC_COMMON_NUMBER_LIST_H
#define WEIR_SRC_COMMON_NUMBER_LIST_H

/* A whole number from least (0 or more) to most; `option` names it in messages. -WEIR_USAGE. */
int weir_number_read(const char *option, const char *text, long least, long most, long *number);

/* Different numbers from 1 to `most`, separated by commas; put in rising order. At most `size` of them.
 * -WEIR_USAGE. */
int weir_number_list_read(const char *option, const char *text, long most, int size, int *numbers,
                          int *count);

#endif
