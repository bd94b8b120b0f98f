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

  async on<S extends Setup, R>(name: string, start: () => Promise<S>, run: (setup: S) => Promise<R>): Promise<R> {
    if (this.areShared) {
      const kept = (this.kept.get(name) as Promise<S> | undefined) ?? start();
      this.kept.set(name, kept);
      return run(await kept);
    }
    const setup = await start();
    try {
      return await run(setup);
    } finally {
      await setup.stop();
    }
  }

  /** A platform; one whose processes preload a module is never shared with other benches. */
  onPlatform<R>(options: PlatformOptions, run: (platform: Platform) => Promise<R>): Promise<R> {
    const needed = this.areShared && !options.env?.['NODE_OPTIONS'] ? FOR_ALL : options;
    return this.on(`platform ${JSON.stringify(needed)}`, () => Platform.start(needed), run);
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled([...this.kept.values()].reverse());
    for (const each of started) if (each.status === 'fulfilled') await each.value.stop();
  }
}
