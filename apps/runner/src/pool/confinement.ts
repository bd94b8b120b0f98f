import { existsSync } from 'node:fs';
import { systemCallFilter, numbersOf } from './system-call-filter.js';

/** Makes the system calls, which Node cannot; part of every Debian. */
export const PERL = '/usr/bin/perl';

const O_PATH = 0x200000;
const SET_SECCOMP = 22;
const MODE_FILTER = 2;
/** Access rights of Landlock ABI 1: all of them, and those to execute, read and list. */
const ALL_OF_FILES = 0x1fff;
const USE_FILE = 0b0101;
const USE_FOLDER = 0b1101;

/**
 * Restricts the process and then executes the program given to it. Arguments: the filter in hexadecimal, the number of
 * readable paths, these paths, the program and its arguments. Perl's `syscall` takes only pointers to variables.
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
 * A command prefix that takes from a process the system calls that an engine does not need, and all files except the
 * paths, which are absolute; without paths, files stay as they are. Null on a processor without a filter. Requires
 * `no_new_privs`.
 */
export function confinement(paths: readonly string[]): string[] | null {
  const filter = systemCallFilter(process.arch);
  if (filter === null) return null;
  const present = paths.filter((path) => existsSync(path));
  const program = programOf(numbersOf(process.arch));
  return [PERL, '-e', program, filter.toString('hex'), String(present.length), ...present];
}
