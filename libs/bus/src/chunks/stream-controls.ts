import type { BusConnection } from '../connection.js';
import { CreditWindow, controlSubject } from './credit-window.js';
import type { ReceivedCall } from '../calls/frames/received-frames.js';
import { readFlow } from '../calls/wire.js';

/** The abandonable calls of this process. Every process of the service receives all reports and uses its own. */
export class StreamControls {
  private readonly open = new Map<string, CreditWindow>();

  constructor(private readonly connection: BusConnection) {}

  listen(): void {
    const subject = controlSubject(this.connection.name);
    this.connection.listen(`${subject}.*`, (payload, reported) =>
      this.open.get(reported.slice(subject.length + 1))?.receive(payload),
    );
  }

  async within<T>({ headers }: ReceivedCall, work: (flow: CreditWindow | null) => Promise<T>): Promise<T> {
    const name = readFlow(headers);
    if (name === null) return work(null);
    const flow = new CreditWindow();
    this.open.set(name, flow);
    const { lost } = this.connection;
    const release = (): void => flow.release();
    lost.addEventListener('abort', release, { once: true });
    try {
      return await work(flow);
    } finally {
      this.open.delete(name);
      lost.removeEventListener('abort', release);
    }
  }
}
