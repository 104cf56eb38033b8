/* A plane of cells at the size of a picture. */
#ifndef WEIR_SRC_PICTURE_RESAMPLE_H
#define WEIR_SRC_PICTURE_RESAMPLE_H

struct weir_resampling;

/* Prepares for a picture of columns x rows pixels of values[height][width] (NaN: solid), which must outlive
 * *resampling. That is the caller's (weir_resampling_destroy). Error: -WEIR_FAILED (no memory). */
int weir_resampling_create(const double *values, int width, int height, int columns, int rows,
                           struct weir_resampling **resampling);
void weir_resampling_destroy(struct weir_resampling *resampling);

/* Fills pixels[columns] with row `row` of the picture, counted from the lower left corner, as cells are.
 * Where there are more pixels than cells, values between cell centres are interpolated linearly, else those
 * within a pixel are averaged; solids are not mixed in, and are NaN again in the pixels they cover, with the
 * stepped edge that the solver sees. */
void weir_resampling_row(const struct weir_resampling *resampling, int row, double *pixels);

#endif
