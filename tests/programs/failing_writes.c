/* A disk that fails, for a program that is started with this library in LD_PRELOAD: what writes to files
 * below the folder WEIR_FAIL_BELOW is counted, and number WEIR_FAIL_AT, from 0 on, gets the error
 * WEIR_FAIL_ERRNO instead; with WEIR_FAIL_ON, all after it as well, as on a disk that is full. At the end of
 * the process the file WEIR_FAIL_COUNT has their number,
 * and which failed last.
 *
 * It is the kernel that hands the calls over (seccomp(2), SECCOMP_RET_TRAP): libraries write in many ways, of
 * which only some can be replaced by functions of the same name. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined __x86_64__
#error "registers of other processors are not known here"
#endif

/* None of these calls has six arguments: with this as the sixth the kernel lets it through. */
#define OURS 0x77656972u

enum { PATH = 1024 };

static struct {
    char below[PATH];
    size_t length;
    long at;
    int error;
    bool on;
    atomic_long count;
    char file[PATH], failed[PATH + 32];
} disk;

static long call(long number, const greg_t *a) {
    long result;
    register long r10 __asm__("r10") = a[REG_R10];
    register long r8 __asm__("r8") = a[REG_R8];
    register long r9 __asm__("r9") = OURS;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[REG_RDI]), "S"(a[REG_RSI]), "d"(a[REG_RDX]), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static bool is_below(const char *path) {
    return strncmp(path, disk.below, disk.length) == 0;
}

/* Whether a call is about a file of the disk that fails: path. */
static bool concerns(long number, const greg_t *a, char path[PATH]) {
    char link[64];
    if (number == SYS_rename || number == SYS_renameat || number == SYS_renameat2) {
        snprintf(path, PATH, "%s", (const char *)a[number == SYS_rename ? REG_RSI : REG_R10]);
        return path[0] != '/' || is_below(path);
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)a[REG_RDI]);
    const ssize_t length = readlink(link, path, PATH - 1);
    path[length > 0 ? length : 0] = '\0';
    return is_below(path);
}

static void on_call(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const int before = errno;
    char path[PATH];
    (void)signal;
    if (concerns(info->si_syscall, registers, path)) {
        const long number = atomic_fetch_add(&disk.count, 1);
        if (disk.at >= 0 && (disk.on ? number >= disk.at : number == disk.at)) {
            snprintf(disk.failed, sizeof disk.failed, "call %d of '%s'", info->si_syscall, path);
            registers[REG_RAX] = -disk.error;
            errno = before;
            return;
        }
    }
    registers[REG_RAX] = call(info->si_syscall, registers);
    errno = before;
}

/* A call that is handed to a thread which blocks the signal ends the process: nobody blocks it. */
static int change_mask(const char *name, int how, const sigset_t *set, sigset_t *before) {
    int (*real)(int, const sigset_t *, sigset_t *);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    sigset_t ours;
    if (!set)
        return real(how, set, before);
    ours = *set;
    if (how != SIG_UNBLOCK)
        sigdelset(&ours, SIGSYS);
    return real(how, &ours, before);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before) {
    return change_mask("sigprocmask", how, set, before);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    return change_mask("pthread_sigmask", how, set, before);
}

static const char *word(const char *name) {
    const char *text = getenv(name);
    return text ? text : "";
}

#define TRAPPED(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)

__attribute__((constructor)) static void begin(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OURS, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        TRAPPED(SYS_write),
        TRAPPED(SYS_pwrite64),
        TRAPPED(SYS_writev),
        TRAPPED(SYS_ftruncate),
        TRAPPED(SYS_fallocate),
        TRAPPED(SYS_fsync),
        TRAPPED(SYS_fdatasync),
        TRAPPED(SYS_rename),
        TRAPPED(SYS_renameat),
        TRAPPED(SYS_renameat2),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    const struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    snprintf(disk.below, sizeof disk.below, "%s", word("WEIR_FAIL_BELOW"));
    disk.length = strlen(disk.below);
    disk.at = word("WEIR_FAIL_AT")[0] ? atol(word("WEIR_FAIL_AT")) : -1;
    disk.error = word("WEIR_FAIL_ERRNO")[0] ? atoi(word("WEIR_FAIL_ERRNO")) : EIO;
    disk.on = word("WEIR_FAIL_ON")[0] != '\0';
    snprintf(disk.file, sizeof disk.file, "%s", word("WEIR_FAIL_COUNT"));
    if (disk.length == 0 || sigaction(SIGSYS, &action, NULL) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        fprintf(stderr, "failing_writes: %s\n",
                disk.length == 0 ? "WEIR_FAIL_BELOW is not set" : strerror(errno));
        _exit(99);
    }
}

__attribute__((destructor)) static void end(void) {
    FILE *file = disk.file[0] ? fopen(disk.file, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n%s\n", atomic_load(&disk.count), disk.failed);
        fclose(file);
    }
}
