/* A plane of cells at the size of a picture. */
#ifndef WEIR_SRC_RESAMPLE_H
#define WEIR_SRC_RESAMPLE_H

/* Fills pixels[columns] with row `row` of `rows` of the picture of values[height][width] (NaN: solid), both
 * counted from the lower left corner. Where there are more pixels than cells, values between cell centres are
 * interpolated linearly, else those within a pixel are averaged; solids are not mixed in, and are NaN again
 * in the pixels they cover, with the stepped edge that the solver sees. */
void weir_resample_row(const double *values, int width, int height, int row, int rows, double *pixels,
                       int columns);

#endif
