/** arm64 lacks system calls that have a newer form. */
type Numbers = readonly [x64: number, arm64?: number];

/** What an engine does not need and code that broke out of it would use. Numbers of Linux 6.18. */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  // Other processes on this machine or in the network.
  ...{ socket: [41, 198], socketpair: [53, 199], connect: [42, 203], bind: [49, 200], listen: [50, 201] },
  ...{ accept: [43, 202], accept4: [288, 242] },
  ...{ shmget: [29, 194], shmat: [30, 196], semget: [64, 190], msgget: [68, 186], mq_open: [240, 180] },
  ...{ kill: [62, 129], tkill: [200, 130], tgkill: [234, 131], rt_sigqueueinfo: [129, 138] },
  ...{ rt_tgsigqueueinfo: [297, 240], pidfd_open: [434, 434], pidfd_getfd: [438, 438] },
  ...{ pidfd_send_signal: [424, 424], ptrace: [101, 117], kcmp: [312, 272], process_madvise: [440, 440] },
  ...{ process_vm_readv: [310, 270], process_vm_writev: [311, 271], migrate_pages: [256, 238] },
  ...{ move_pages: [279, 239], setpriority: [141, 140], ioprio_set: [251, 30], sched_setparam: [142, 118] },
  ...{ sched_setscheduler: [144, 119], sched_setattr: [314, 274], sched_setaffinity: [203, 122] },
  // New processes; threads are permitted.
  ...{ fork: [57], vfork: [58], execveat: [322, 281] },
  // Files: only reading is left.
  ...{ creat: [85], truncate: [76, 45], ftruncate: [77, 46], fallocate: [285, 47], memfd_create: [319, 279] },
  ...{ memfd_secret: [447, 447], rename: [82], renameat: [264, 38], renameat2: [316, 276], link: [86] },
  ...{ linkat: [265, 37], symlink: [88], symlinkat: [266, 36], unlink: [87], unlinkat: [263, 35], mkdir: [83] },
  ...{ mkdirat: [258, 34], rmdir: [84], mknod: [133], mknodat: [259, 33], chmod: [90], fchmod: [91, 52] },
  ...{ fchmodat: [268, 53], fchmodat2: [452, 452], chown: [92], fchown: [93, 55], lchown: [94], fchownat: [260, 54] },
  ...{ utime: [132], utimes: [235], utimensat: [280, 88], futimesat: [261], setxattr: [188, 5], lsetxattr: [189, 6] },
  ...{ fsetxattr: [190, 7], removexattr: [197, 14], lremovexattr: [198, 15], fremovexattr: [199, 16] },
  ...{ name_to_handle_at: [303, 264], open_by_handle_at: [304, 265], inotify_init: [253], inotify_init1: [294, 26] },
  ...{ fanotify_init: [300, 262], splice: [275, 76], vmsplice: [278, 75], tee: [276, 77] },
  // Mounts and namespaces.
  ...{ mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51], move_mount: [429, 429] },
  ...{ open_tree: [428, 428], fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433] },
  ...{ mount_setattr: [442, 442], unshare: [272, 97], setns: [308, 268] },
  // Parts of the kernel with a history of vulnerabilities.
  ...{ bpf: [321, 280], perf_event_open: [298, 241], userfaultfd: [323, 282], add_key: [248, 217] },
  ...{ request_key: [249, 218], keyctl: [250, 219], io_setup: [206, 0], io_submit: [209, 2], personality: [135, 92] },
  ...{ modify_ldt: [154], uselib: [134], sysfs: [139], ustat: [136], lookup_dcookie: [212, 18], nfsservctl: [180, 42] },
  ...{ quotactl: [179, 60], quotactl_fd: [443, 443], mbind: [237, 235], set_mempolicy: [238, 237] },
  // Administration of the machine.
  ...{ init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106], kexec_load: [246, 104] },
  ...{ kexec_file_load: [320, 294], reboot: [169, 142], swapon: [167, 224], swapoff: [168, 225], acct: [163, 89] },
  ...{ iopl: [172], ioperm: [173], syslog: [103, 116], settimeofday: [164, 170], clock_settime: [227, 112] },
  ...{ adjtimex: [159, 171], clock_adjtime: [305, 266], sethostname: [170, 161], setdomainname: [171, 162] },
  ...{ vhangup: [153, 58] },
};

/** Libraries fall back from these to older calls, whose arguments the filter can see. */
export const MISSING: Readonly<Record<string, Numbers>> = {
  ...{ clone3: [435, 435], openat2: [437, 437] },
  ...{ io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427] },
};

/** `argument` counts from 0. */
export const DEPENDENT = {
  clone: { numbers: [56, 220], argument: 0 },
  open: { numbers: [2], argument: 1 },
  openat: { numbers: [257, 56], argument: 2 },
  prlimit64: { numbers: [302, 261], argument: 0 },
} as const satisfies Record<string, { numbers: Numbers; argument: number }>;

export const OF_CONFINEMENT = {
  prctl: [157, 167],
  landlock_create_ruleset: [444, 444],
  landlock_add_rule: [445, 445],
  landlock_restrict_self: [446, 446],
} as const satisfies Record<string, Numbers>;

/** By Node's name: the column in the tables above, and AUDIT_ARCH of linux/audit.h. */
export const ARCHITECTURES = {
  x64: { at: 0, audit: 0xc000003e },
  arm64: { at: 1, audit: 0xc00000b7 },
} as const;
