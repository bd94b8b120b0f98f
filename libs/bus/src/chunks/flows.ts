import type { BusConnection } from '../connection.js';
import { Flow, flowSubject } from './flow.js';
import type { ReceivedCall } from '../calls/frames/received-frames.js';
import { readFlow } from '../calls/wire.js';

/** The calls of a service that can be abandoned. Every process of the service receives all reports and uses its own. */
export class Flows {
  private readonly open = new Map<string, Flow>();

  constructor(private readonly connection: BusConnection) {}

  listen(): void {
    const subject = flowSubject(this.connection.name);
    this.connection.listen(`${subject}.*`, (payload, reported) =>
      this.open.get(reported.slice(subject.length + 1))?.receive(payload),
    );
  }

  /** Runs a call with the flow that its caller has named, null when it has named none. */
  async within<T>({ headers }: ReceivedCall, work: (flow: Flow | null) => Promise<T>): Promise<T> {
    const name = readFlow(headers);
    if (name === null) return work(null);
    const flow = new Flow();
    this.open.set(name, flow);
    try {
      return await work(flow);
    } finally {
      this.open.delete(name);
    }
  }
}
