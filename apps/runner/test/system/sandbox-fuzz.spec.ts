import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { eventually } from '@signalbox/testing';
import { fuzzSandbox } from '../fuzz/sandbox-fuzz.js';
import { breachOf } from '../fuzz/system-calls.js';
import { breachesOf } from '../fuzz/tripwires.js';

// Minutes of it, with the system calls followed, are in sandbox-fuzz.long.spec.ts.
describe('generated scripts', () => {
  it('open no file and no socket, start no process and reach no host', async () => {
    const report = await fuzzSandbox({ seed: 93, javascript: 50, python: 2, timeMs: 30_000 });
    expect(report.escapes).toEqual([]);
    expect(report.faults).toEqual([]);
    // Scripts that fail at once would prove nothing, nor would processes that were not looked at.
    expect(report.completed).toBeGreaterThan(report.scripts / 3);
    expect(report.looks).toBeGreaterThan(20);
  }, 150_000);
});

const ESCAPED = `
const fs = require('fs'), net = require('net'), { spawn } = require('child_process');
fs.openSync(__FILE__, 'r');
net.connect(Number(process.argv[1]), '127.0.0.1', () => { spawn('cat'); console.log('done'); });
`;

describe('the tripwires', () => {
  it('notice a process that has opened a file and a socket and started another process', async () => {
    const listener = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const file = '/etc/hostname';
    const code = ESCAPED.replace('__FILE__', JSON.stringify(file));
    const escaped = spawn(process.execPath, ['-e', code, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(escaped.stdout, 'data');
      const pid = escaped.pid ?? 0;
      const found = await eventually('everything is open', () => {
        const breaches = breachesOf(pid, true);
        return breaches.includes('a process') && breaches;
      });
      expect(found).toEqual(
        expect.arrayContaining(['a socket', `the file ${file}`, 'a process', 'a socket in its namespace']),
      );
    } finally {
      // Its child ends with the pipe to it.
      escaped.kill('SIGKILL');
      listener.close();
    }
  });

  it.each([
    ['12 openat(AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC) = -1 EACCES (Permission denied)'],
    ['12 socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_IP) = 21'],
    ['12 <... connect resumed>)  = -1 ENETUNREACH (Network is unreachable)'],
    ['12 execve("/bin/sh", ["/bin/sh"], 0x7 /* 0 vars */) = 0'],
    ['12 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 13'],
    ['12 vfork() = 13'],
  ])('notice the system call %s', (line) => expect(breachOf(line)).toEqual(expect.any(String)));

  it.each([
    ['12 openat(AT_FDCWD, "/proc/self/cgroup", O_RDONLY) = 20'],
    ['12 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD, child_tid=0x7f}, 88) = 14'],
    ['12 exit_group(0) = ?'],
    ['12 getcwd("/tmp/scripts-a", 4096) = 20'],
  ])('expect the system call %s', (line) => expect(breachOf(line)).toBeNull());
});
