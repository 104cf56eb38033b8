/* Kernels of GPUs, launched: compiled once, for all variants. Whole blocks: pointers are on the device,
 * stream is a cudaStream_t, the result is a cudaError_t, launches return at once. In builds with CUDA only;
 * `kernels` are such as were asked for with WEIR_KERNELS_CUDA. */
#ifndef WEIR_KERNELS_LAUNCHES_H
#define WEIR_KERNELS_LAUNCHES_H

#include "codelets/kernels/demand/find.h"

/* What each does is said of the kernel of the same name in kernels.h. initialise clears too. */
int weir_launch_collide_stream(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               const struct weir_fluid *fluid, int parity, void *stream);
int weir_launch_pseudopotential(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                const struct weir_fluid *fluid, int parity, void *const outgoing[WEIR_FACES],
                                void *stream);
int weir_launch_velocity_field(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               const struct weir_fluid *fluid, int parity, void *velocity,
                               void *const outgoing[WEIR_FACES], void *stream);
int weir_launch_velocity_gradient(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                  const struct weir_fluid *fluid, const void *velocity,
                                  const void *const incoming[WEIR_NEIGHBOURS], void *stream);
int weir_launch_surface_mass(const struct weir_kernels *kernels, const struct weir_block_view *view,
                             const struct weir_surface_view *surface, int parity, void *stream);
int weir_launch_surface_cells(const struct weir_kernels *kernels, const struct weir_block_view *view,
                              const struct weir_surface_view *surface, void *stream);
int weir_launch_surface_flags(const struct weir_kernels *kernels, const struct weir_block_view *view,
                              const struct weir_surface_view *surface, void *stream);
int weir_launch_gas_spread(const struct weir_kernels *kernels, const struct weir_block_view *view,
                           const struct weir_surface_view *surface, void *stream);
int weir_launch_initialise(const struct weir_kernels *kernels, const struct weir_block_view *view,
                           const struct weir_fluid *fluid, const struct weir_initial_state *state,
                           const struct weir_first_messages *messages, void *stream);
int weir_launch_macroscopic(const struct weir_kernels *kernels, const struct weir_block_view *view,
                            const struct weir_fluid *fluid, int parity, const struct weir_local_box *box,
                            void *values, void *stream);

/* boxes: on the GPU, [count] of at most WEIR_SAMPLE_CELLS cells; values: real [count][4 or 5 times
 * WEIR_SAMPLE_CELLS], of which a box fills [4 or 5][its cells]. */
int weir_launch_sample(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, const struct weir_local_box *boxes,
                       int count, void *values, void *stream);
int weir_launch_totals(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, double speed_limit,
                       struct weir_partial_totals *totals, void *stream);
int weir_launch_velocity_change(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                const struct weir_fluid *fluid, int parity, float *previous,
                                struct weir_partial_change *change, void *stream);
int weir_launch_add_to_time_sums(const struct weir_kernels *kernels, const struct weir_block_view *view,
                                 const struct weir_fluid *fluid, int parity, double *sums, void *stream);
int weir_launch_copy_time_sums(const struct weir_kernels *kernels, const struct weir_block_view *view,
                               bool back, double *sums, double *values, void *stream);
int weir_launch_digest(const struct weir_kernels *kernels, const struct weir_block_view *view,
                       const struct weir_fluid *fluid, int parity, const struct weir_place *place,
                       uint64_t sum[2], void *stream);
int weir_launch_snapshot(const struct weir_kernels *kernels, const struct weir_block_view *view, int parity,
                         void *populations, void *stream);

/* `from` and `to` on the device; as weir_layout_step_cpu, of all rows. */
int weir_launch_layout_step(const struct weir_kernels *kernels, const struct weir_site_layout *layout,
                            const struct weir_fluid *fluid, enum weir_layout_operation operation,
                            const void *from, void *to, void *stream);

/* All segments of a halo message: `messages` itself is in main memory, all that it and the other parameters
 * point to on the device. */
int weir_launch_pack(const struct weir_kernels *kernels, const struct weir_halo_segment *segments, int count,
                     const struct weir_face_messages *messages, void *halo, void *stream);
int weir_launch_unpack(const struct weir_kernels *kernels, const struct weir_halo_segment *segments,
                       int count, const struct weir_face_messages *messages, const void *halo, void *stream);

/* The update of 19 streams (streams.h). wide: 16 bytes per thread and stream instead of one real. */
int weir_launch_update_streams(const struct weir_cuda_kernels *kernels, enum weir_precision precision,
                               int wide, void *data, size_t stride, size_t count, void *stream);

/* Multiply-adds (multiply_adds.h) by `blocks` thread blocks of WEIR_CHAINS_THREADS. values: on the GPU,
 * WEIR_CHAINS for each thread. */
int weir_launch_multiply_adds(const struct weir_cuda_kernels *kernels, enum weir_precision precision,
                              int blocks, void *values, int turns, void *stream);

#endif
