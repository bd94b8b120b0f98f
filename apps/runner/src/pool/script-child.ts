import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { encodeFrame, type Frame, FrameReader, type FromChild, LENGTH_BYTES, type ToChild } from '../child/index.js';
import { type JailedProgram, spawnJailed } from './jailed-process.js';
import { innermost, type Usage, usageOf } from './process-usage.js';

export type ChildKind = 'javascript' | 'python';

export interface ChildOptions extends JailedProgram {
  kind: ChildKind;
  snapshot?: Promise<Buffer>;
  /** For the interpreter to be loaded. */
  startMs?: number;
}

export interface ChildExit {
  /**
   * Killed by this process, by the system or by an operator, and not for what it sent. The signal is not reliable,
   * because wrappers exit with other codes; but a process that crashes by itself writes to its error output.
   */
  isKilled: boolean;
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export interface ChildListener {
  frame(frame: Frame<FromChild>): void;
  exited(exit: ChildExit): void;
}

/** Above the longest value with all its characters escaped. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_LENGTH = 2000;
/** Takes a fraction of a second on an idle machine; counted from when the snapshot is there. */
const START_MS = 120_000;
/**
 * `nice` values by processor time used: first a tenth of the weight of other processes, with which a script still ends
 * next to them, then a fraction of a percent of a busy processor.
 */
const PRIORITIES = [
  { aboveMs: 2000, priority: 19 },
  { aboveMs: 100, priority: 10 },
] as const;
/** Printed by some versions of unshare when the process in it was killed. */
const OF_WRAPPERS = /^unshare: .*$/gm;
/** A disposable process with one interpreter, bound to the first company whose script it runs. */
export class ScriptChild {
  readonly kind: ChildKind;
  readonly slot: number;
  company: number | null = null;
  runs = 0;
  idleSince = Date.now();
  private priority = 0;
  version: string | null = null;
  private readonly process: ChildProcess;
  private readonly frames = new FrameReader<FromChild>(MAX_FRAME_BYTES);
  private listener: ChildListener | null = null;
  private exit: ChildExit | null = null;
  private killed = false;
  private isBroken = false;
  /** Killed because its interpreter was not loaded in time. */
  private isLate = false;
  private pid: number | undefined;
  private stderr = '';

  /** Rejects when the process ends before its interpreter is loaded, and when that takes too long: it is killed then. */
  readonly ready: Promise<void>;
  readonly exited: Promise<ChildExit>;

  constructor(options: ChildOptions) {
    this.kind = options.kind;
    this.slot = options.slot;
    this.process = spawnJailed(options, options.kind);
    if (this.process.pid) endFirst(this.process.pid);
    this.exited = new Promise((resolve) => this.watchExit(resolve));
    this.ready = new Promise((resolve, reject) => this.awaitReady(resolve, reject));
    this.ready.catch(() => undefined);
    this.process.stdin?.on('error', () => undefined);
    void this.load(options);
    this.process.stdout?.on('data', (chunk: Buffer) => this.receive(chunk));
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('utf8')).slice(-MAX_STDERR_LENGTH);
    });
  }

  get isDead(): boolean {
    return this.exit !== null || this.killed;
  }

  /** `sent` is called when the frame has left this process. */
  send(head: ToChild, body: string, sent?: () => void): void {
    if (!this.isDead) this.process.stdin?.write(encodeFrame(head, body), () => sent?.());
  }

  listen(listener: ChildListener | null): void {
    this.listener = listener;
    // The last execution may have ended while its reader was slow.
    this.resume();
    if (this.exit && listener) listener.exited(this.exit);
  }

  pause(): void {
    this.process.stdout?.pause();
  }

  resume(): void {
    this.process.stdout?.resume();
  }

  /** A lower priority cannot be raised again, so the process is not reused. */
  get isLowered(): boolean {
    return this.priority > 0;
  }

  yieldAfter(cpuMs: number): void {
    const priority = PRIORITIES.find(({ aboveMs }) => cpuMs > aboveMs)?.priority ?? 0;
    if (priority <= this.priority || this.pid === undefined) return;
    this.priority = priority;
    try {
      setPriority(this.pid, priority);
    } catch {
      // The process has ended, or the system does not permit it.
    }
  }

  usage(): Usage | null {
    return this.isDead || this.pid === undefined ? null : usageOf(this.pid);
  }

  kill(): void {
    if (this.isDead) return;
    this.killed = true;
    // A paused stream would never emit `close`.
    this.resume();
    const outer = this.process.pid;
    for (const pid of [this.pid ?? (outer && innermost(outer)), outer]) if (pid) killQuietly(pid);
  }

  private async load({ snapshot, startMs = START_MS }: ChildOptions): Promise<void> {
    try {
      if (snapshot) this.sendSnapshot(await snapshot);
    } catch {
      return this.kill();
    }
    const timer = setTimeout(() => {
      this.isLate = true;
      this.kill();
    }, startMs);
    const started = (): void => clearTimeout(timer);
    await Promise.race([this.ready, this.exited]).then(started, started);
  }

  private sendSnapshot(bytes: Buffer): void {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    this.process.stdin?.write(length);
    this.process.stdin?.write(bytes);
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.frames.add(chunk)) this.take(frame);
    } catch {
      // Our program sends only valid frames: the process is compromised, by its script.
      this.isBroken = true;
      this.kill();
    }
  }

  private take(frame: Frame<FromChild>): void {
    if (this.killed) return;
    if (frame.head.kind === 'ready') this.begin(frame.head.version);
    else this.listener?.frame(frame);
  }

  private begin: (version: string) => void = () => undefined;

  private awaitReady(resolve: () => void, reject: (error: Error) => void): void {
    this.begin = (version) => {
      this.version = version;
      this.pid = innermost(this.process.pid as number);
      endFirst(this.pid);
      resolve();
    };
    void this.exited.then(({ code, signal, stderr }) => {
      const why = this.isLate ? 'it took too long' : (signal ?? code);
      reject(new Error(`a ${this.kind} child ended before it was ready (${why}): ${stderr}`));
    });
  }

  private watchExit(resolve: (exit: ChildExit) => void): void {
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (this.exit) return;
      const words = this.stderr.replace(OF_WRAPPERS, '').trim();
      const isStopped = this.killed || signal === 'SIGKILL' || signal === 'SIGTERM' || (code !== 0 && words === '');
      const isKilled = isStopped && !this.isBroken;
      this.exit = { code, signal, isKilled, stderr: words };
      this.listener?.exited(this.exit);
      resolve(this.exit);
    };
    // `close` comes after everything that the child wrote was read.
    this.process.once('close', ended);
    this.process.once('error', () => ended(null, null));
  }
}

/** Makes the OOM killer prefer processes of scripts to any other; processes they start inherit it. */
function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The process has ended, or the system does not permit it.
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
