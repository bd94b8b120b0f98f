import { freePort } from '@signalbox/servers';
import { Child } from './child.js';

/** A child process that listens on a port, which its environment has as `PORT`. */
export class ChildServer {
  private constructor(
    readonly port: number,
    private readonly child: Child,
  ) {}

  static async start(module: URL, env: Record<string, string>): Promise<ChildServer> {
    const port = await freePort();
    return new ChildServer(port, await Child.start(module, { ...env, PORT: String(port) }));
  }

  get pid(): number {
    return this.child.pid;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
