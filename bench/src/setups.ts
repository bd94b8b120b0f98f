import { Platform, type PlatformOptions } from '@signalbox/testing';

/** A started system under measurement. */
interface Setup {
  stop(): Promise<void>;
}

/** A platform on which any bench can run. */
const FOR_ALL: PlatformOptions = {
  services: ['accounts', 'agents', 'traffic', 'workflows', 'runner', 'monitors', 'test-runs', 'gateway'],
  env: { EGRESS_ALLOW: '127.0.0.1/32' },
  durable: true,
};

/**
 * Starts the systems that benches measure. A figure needs a separate one; a proof that the benches work does not, and
 * shares it with the benches that follow.
 */
export class Setups {
  private readonly kept = new Map<string, Promise<Setup>>();

  constructor(private readonly areShared: boolean) {}

  /** Starts a system; where they are shared, the one of this name that an earlier bench has started. */
  take<S extends Setup>(name: string, start: () => Promise<S>): Promise<S> {
    if (!this.areShared) return start();
    const kept = (this.kept.get(name) as Promise<S> | undefined) ?? start();
    this.kept.set(name, kept);
    return kept;
  }

  /** Stops a system that was taken, unless later benches use it. */
  async release(setup: Setup): Promise<void> {
    if (!this.areShared) await setup.stop();
  }

  async on<S extends Setup, R>(name: string, start: () => Promise<S>, run: (setup: S) => Promise<R>): Promise<R> {
    const setup = await this.take(name, start);
    try {
      return await run(setup);
    } finally {
      await this.release(setup);
    }
  }

  onPlatform<R>(options: PlatformOptions, run: (platform: Platform) => Promise<R>): Promise<R> {
    const needed = this.areShared ? FOR_ALL : options;
    return this.on(`platform ${JSON.stringify(needed)}`, () => Platform.start(needed), run);
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled([...this.kept.values()].reverse());
    for (const each of started) if (each.status === 'fulfilled') await each.value.stop();
  }
}
