import { Platform, type PlatformOptions } from '@signalbox/testing';

/** Something that is started to be measured on. */
interface Transform {
  stop(): Promise<void>;
}

/** A platform on which any bench can run. */
const FOR_ALL: PlatformOptions = {
  services: ['accounts', 'agents', 'traffic', 'gateway'],
  env: { EGRESS_ALLOW: '127.0.0.1/32' },
  durable: true,
};

/**
 * Starts what benches measure on. A figure needs a stage of its own; a proof that the benches work does not, and its
 * stages are kept for the benches that follow.
 */
export class Stages {
  private readonly kept = new Map<string, Promise<Transform>>();

  constructor(private readonly areShared: boolean) {}

  async on<S extends Transform, R>(name: string, start: () => Promise<S>, run: (stage: S) => Promise<R>): Promise<R> {
    if (this.areShared) {
      const kept = (this.kept.get(name) as Promise<S> | undefined) ?? start();
      this.kept.set(name, kept);
      return run(await kept);
    }
    const stage = await start();
    try {
      return await run(stage);
    } finally {
      await stage.stop();
    }
  }

  /** A platform; one whose processes load a module of their own before is never shared with other benches. */
  onPlatform<R>(options: PlatformOptions, run: (platform: Platform) => Promise<R>): Promise<R> {
    const needed = this.areShared && !options.env?.['NODE_OPTIONS'] ? FOR_ALL : options;
    return this.on(`platform ${JSON.stringify(needed)}`, () => Platform.start(needed), run);
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled([...this.kept.values()].reverse());
    for (const each of started) if (each.status === 'fulfilled') await each.value.stop();
  }
}
