#include "src/common/hdf5_access.h"

#include "graph/base/error.h"
#include "graph/ranks/agreement.h"
#include "graph/ranks/supervisor.h"
#include "src/common/output_files.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* HDF5 is one library per process with one error stack, hence the globals. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first_errno;        /* of the first failure since weir_hdf5_lock, where it came from the system */
static char first_reason[128]; /* of the first failure, in the library's words */

/* Of weir_hdf5_enter. */
static struct weir_supervisor *supervisor;
static const char *shared_path;

/* The stack runs from where the failure was found up to the function called; only the text of a system
 * failure names its errno. */
static herr_t note_reason(unsigned depth, const H5E_error2_t *entry, void *unused) {
    (void)depth;
    (void)unused;
    if (first_reason[0] == '\0')
        strncat(first_reason, entry->desc, sizeof first_reason - 1);
    const char *number = strstr(entry->desc, "errno = ");
    if (first_errno == 0 && number)
        first_errno = (int)strtol(number + strlen("errno = "), NULL, 10);
    return 0;
}

/* HDF5 calls this as soon as one of its functions has failed, before cleaning up can overwrite the reason. */
static herr_t note_failure(hid_t stack, void *unused) {
    return first_reason[0] == '\0' ? H5Ewalk2(stack, H5E_WALK_UPWARD, note_reason, unused) : 0;
}

#ifdef H5_HAVE_PARALLEL

/* What HDF5 writes to a shared file passes here, by the profiling interface of MPI (no transfer of ours is a
 * collective one): an error that it meets in a collective call of its own may never come back from there, and
 * Open MPI tells of some by a short count alone. */
int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *values, int count, MPI_Datatype type,
                      MPI_Status *status) {
    const int result = PMPI_File_write_at(file, offset, values, count, type, status);
    MPI_Count size, written = 0;
    if (!shared_path || status == MPI_STATUS_IGNORE || MPI_Type_size_x(type, &size) != MPI_SUCCESS)
        return result;
    if (result == MPI_SUCCESS && (MPI_Get_elements_x(status, MPI_BYTE, &written) != MPI_SUCCESS ||
                                  written == MPI_UNDEFINED || written == size * count))
        return result;
    const int error =
        weir_fail(WEIR_FAILED,
                  "cannot write '%s': MPI has written %lld of %lld bytes: check the disk or choose "
                  "another folder with --out",
                  shared_path, (long long)written, (long long)size * count);
    weir_supervisor_expect_end(supervisor, error, false);
    return result;
}

#endif

/* HDF5 1.10 crashes when it cleans up at the end of a process in which closing a file has failed; there is
 * nothing left for it to do then, as every file is closed where it is written. */
static void initialise(void) {
    H5dont_atexit();
}

#ifdef H5_HAVE_PARALLEL
bool weir_hdf5_is_parallel(void) {
    return true;
}

/* What HDF5 itself notes in a file each rank writes a share of, whose length is checked. By collective calls
 * (H5Pset_coll_metadata_write) one writes for others, and Open MPI's vulcan does not tell these that it
 * failed: files that are not whole were taken for good. */
static bool share(hid_t access, MPI_Comm ranks) {
    return H5Pset_fapl_mpio(access, ranks, MPI_INFO_NULL) >= 0;
}
#else
bool weir_hdf5_is_parallel(void) {
    return false;
}

static bool share(hid_t access, MPI_Comm ranks) {
    (void)access;
    (void)ranks;
    return false;
}
#endif

hid_t weir_hdf5_file_access(MPI_Comm ranks) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const bool opens = ranks != MPI_COMM_NULL
                           ? share(access, ranks)
                           : H5Pset_fapl_sec2(access) >= 0 && H5Pset_file_locking(access, false, true) >= 0;
    if (opens && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        return access;
    H5Pclose(access);
    return H5I_INVALID_HID;
}

void weir_hdf5_lock(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise);
    pthread_mutex_lock(&mutex);
    H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
    first_errno = 0;
    first_reason[0] = '\0';
}

void weir_hdf5_unlock(void) {
    pthread_mutex_unlock(&mutex);
}

void weir_hdf5_enter(const struct weir_agreeing *who, const char *path) {
    weir_agreeing_enter(who);
    supervisor = who->supervisor;
    shared_path = path;
}

void weir_hdf5_leave(const struct weir_agreeing *who) {
    shared_path = NULL;
    weir_agreeing_leave(who);
}

int64_t weir_hdf5_count(hid_t dataset) {
    hsize_t size[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    int64_t count = H5Sget_simple_extent_npoints(space) > 0 ? 1 : 0;
    for (int axis = 0; axis < rank; axis++)
        if (size[axis] > INT64_MAX || __builtin_mul_overflow(count, (int64_t)size[axis], &count)) {
            count = -1;
            break;
        }
    H5Sclose(space);
    return rank < 0 ? -1 : count;
}

herr_t weir_hdf5_read_number(hid_t attribute, hid_t type, void *number) {
    const hid_t space = H5Aget_space(attribute);
    const bool single = H5Sget_simple_extent_npoints(space) == 1;
    H5Sclose(space);
    return single ? H5Aread(attribute, type, number) : -1;
}

static int explain(const char *action, const char *path, const char *way_out) {
    if (first_errno != 0)
        return weir_output_error(action, path, first_errno);
    return weir_fail(WEIR_FAILED, "cannot %s '%s': HDF5 says '%s': %s", action, path, first_reason, way_out);
}

int weir_hdf5_fail(const char *action, const char *path) {
    return explain(action, path, "check the disk or choose another folder with --out");
}

int weir_hdf5_fail_old(const char *action, const char *path) {
    return explain(action, path, "it is damaged; move it away, and the run goes on without it");
}
