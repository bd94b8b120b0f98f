import { readFileSync } from 'node:fs';

const SAMPLE_MS = 500;
/** Samples that count: a pause of the machine explains what was late during it, and a little later. */
const SAMPLES = 20;
const MAX_FACTOR = 10;
/** Added to the processor time of the samples: an idle process has measured next to nothing. */
const LEAST_CPU_MS = 20;
const NS_PER_MS = 1e6;

interface Sample {
  /** Time on a processor, and time in which the main thread was runnable without one. */
  cpuMs: number;
  waitedMs: number;
  lateMs: number;
}

/** Of the main thread; null where the system does not count them. */
function times(): Pick<Sample, 'cpuMs' | 'waitedMs'> | null {
  try {
    const [cpu, waited] = readFileSync('/proc/self/schedstat', 'latin1').split(' ');
    return { cpuMs: Number(cpu) / NS_PER_MS, waitedMs: Number(waited) / NS_PER_MS };
  } catch {
    return null;
  }
}

/**
 * How slow this machine is at the moment, measured by this process: its wait for a processor, and the lateness of its
 * timers. Other processes of the machine are late as well then.
 */
export class Slowdown {
  private readonly samples: Sample[] = [];
  private last: ReturnType<typeof times> = null;
  private due = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly measure: typeof times = times) {}

  /** The time after which a message is overdue that takes `ms` on a machine with free processors. */
  allow(ms: number): number {
    this.start();
    return ms * this.factor + Math.max(0, ...this.samples.map(({ lateMs }) => lateMs));
  }

  /** 1 with free processors, at most 10. */
  get factor(): number {
    const sum = (key: keyof Sample): number => this.samples.reduce((total, sample) => total + sample[key], 0);
    return Math.min(MAX_FACTOR, 1 + sum('waitedMs') / (sum('cpuMs') + LEAST_CPU_MS));
  }

  start(): void {
    if (this.timer) return;
    this.last = this.measure();
    this.due = performance.now() + SAMPLE_MS;
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  private sample(): void {
    const now = performance.now();
    const { last } = this;
    this.last = this.measure();
    const spent =
      last && this.last ? { cpu: this.last.cpuMs - last.cpuMs, waited: this.last.waitedMs - last.waitedMs } : null;
    this.samples.push({ cpuMs: spent?.cpu ?? 0, waitedMs: spent?.waited ?? 0, lateMs: Math.max(0, now - this.due) });
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.due = now + SAMPLE_MS;
  }
}

export const slowdown = new Slowdown();
