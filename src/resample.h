/* A plane of cells at the size of a picture. */
#ifndef WEIR_SRC_RESAMPLE_H
#define WEIR_SRC_RESAMPLE_H

/* Fills pixels[rows][columns] from values[height][width] (NaN: solid), both from the lower left corner. Where
 * there are more pixels than cells, values between cell centres are interpolated linearly, else those within
 * a pixel are averaged; solids are not mixed in, and are NaN again in the pixels they cover, with the stepped
 * edge that the solver sees. */
void weir_resample(const double *values, int width, int height, double *pixels, int columns, int rows);

#endif
