/* One thread at a time in the HDF5 library, which is not safe for threads as distributions build it; and its
 * errors in Weir's words instead of printed by the library. Every use of HDF5 lies between weir_hdf5_lock and
 * weir_hdf5_unlock. */
#ifndef WEIR_SRC_COMMON_HDF5_ACCESS_H
#define WEIR_SRC_COMMON_HDF5_ACCESS_H

#include <hdf5.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct weir_agreeing;

/* Whether several ranks can write a file together: with an HDF5 that is built for MPI. */
bool weir_hdf5_is_parallel(void);

/* Access properties of a file that is written: by all these ranks, for whom the call is collective, and so
 * are those that HDF5 calls collective on such a file; or by this process, MPI_COMM_NULL. No lock on it:
 * nobody else opens a temporary file, and some network file systems have none. Closing it closes all in it.
 * Negative where that failed; else to be closed (H5Pclose). */
hid_t weir_hdf5_file_access(MPI_Comm ranks);

/* Waits until no other thread uses HDF5, and forgets earlier failures. */
void weir_hdf5_lock(void);
void weir_hdf5_unlock(void);

/* Around collective calls of HDF5 on the file at `path`, which stays the caller's: until weir_hdf5_leave this
 * rank may be waiting for the others. Where MPI fails to write on one rank, some of these calls wait for it
 * on the others for ever, and on that rank for them: the supervisor then ends all with MPI's reason. */
void weir_hdf5_enter(const struct weir_agreeing *who, const char *path);
void weir_hdf5_leave(const struct weir_agreeing *who);

/* How many values a dataset has; -1 where that cannot be known or is more than fits: the library's own count
 * wraps, and reading goes by the extents, so that a buffer of that count would be overrun. */
int64_t weir_hdf5_count(hid_t dataset);

/* Reads an attribute that has one number. Negative: it has another count, or there is none. */
herr_t weir_hdf5_read_number(hid_t attribute, hid_t type, void *number);

/* Fails with -WEIR_FAILED and "cannot ACTION 'PATH': REASON: WAY OUT" for the first HDF5 call that failed
 * since weir_hdf5_lock; to be called before weir_hdf5_unlock. */
int weir_hdf5_fail(const char *action, const char *path);

/* The same of a file that was there before: where it is not the disk that has failed, it is damaged. */
int weir_hdf5_fail_old(const char *action, const char *path);

#endif
