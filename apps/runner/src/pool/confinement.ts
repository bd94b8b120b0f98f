import { existsSync } from 'node:fs';
import { systemCallFilter, numbersOf } from './system-call-filter.js';

/** Part of every Debian; Node itself offers no system call. */
export const PERL = '/usr/bin/perl';

const O_PATH = 0x200000;
const SET_SECCOMP = 22;
const MODE_FILTER = 2;
/** What the first version of Landlock distinguishes, and of it to execute, read and list. */
const ALL_OF_FILES = 0x1fff;
const USE_FILE = 0b0101;
const USE_FOLDER = 0b1101;

/**
 * Restricts the process and becomes the program that follows. Its arguments: the filter in hexadecimal digits, how many
 * paths may be read, these paths, the program and its arguments. `syscall` takes pointers to variables alone.
 */
const programOf = (numbers: ReturnType<typeof numbersOf>): string => `
my $filter = pack('H*', shift);
my @paths = splice(@ARGV, 0, shift);
if (@paths) {
  my $handled = pack('Q', ${ALL_OF_FILES});
  my $rules = syscall(${numbers.landlock_create_ruleset}, $handled, 8, 0);
  die "landlock: $!" if $rules < 0;
  for my $path (@paths) {
    sysopen(my $file, $path, ${O_PATH}) or die "$path: $!";
    my $rule = pack('Ql', -d $path ? ${USE_FOLDER} : ${USE_FILE}, fileno($file));
    syscall(${numbers.landlock_add_rule}, $rules, 1, $rule, 0) == 0 or die "$path: $!";
  }
  syscall(${numbers.landlock_restrict_self}, $rules, 0) == 0 or die "landlock: $!";
}
my $seccomp = pack('S x6 P', length($filter) / 8, $filter);
syscall(${numbers.prctl}, ${SET_SECCOMP}, ${MODE_FILTER}, $seccomp) == 0 or die "seccomp: $!";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!";
`;

/**
 * The programs that take from a process the system calls that an engine does not need, and the files outside of the
 * paths, which are absolute; no path leaves the files as they are. Null on a processor for which there is no filter.
 * They need a process that gains no new privilege.
 */
export function confinement(paths: readonly string[]): string[] | null {
  const filter = systemCallFilter(process.arch);
  if (filter === null) return null;
  const present = paths.filter((path) => existsSync(path));
  const program = programOf(numbersOf(process.arch));
  return [PERL, '-e', program, filter.toString('hex'), String(present.length), ...present];
}
