import type { BusConnection } from '@signalbox/bus';

type Receive = (payload: Uint8Array) => void;

interface Heard {
  receivers: Set<Receive>;
  unlisten: () => void;
}

/**
 * The live subjects of the streams of this process. Each is subscribed to once: the bus sends a message once, however
 * many clients it concerns.
 */
export class LiveSubjects {
  private readonly heard = new Map<string, Heard>();

  constructor(private readonly bus: Pick<BusConnection, 'listen'>) {}

  /** Calls back with every payload that is published on a subject; returns the function that ends it. */
  listen(subject: string, receive: Receive): () => void {
    const heard = this.heard.get(subject) ?? this.subscribe(subject);
    heard.receivers.add(receive);
    return () => {
      if (!heard.receivers.delete(receive) || heard.receivers.size > 0) return;
      heard.unlisten();
      this.heard.delete(subject);
    };
  }

  private subscribe(subject: string): Heard {
    const receivers = new Set<Receive>();
    const unlisten = this.bus.listen(subject, (payload) => {
      for (const receive of receivers) receive(payload);
    });
    const heard = { receivers, unlisten };
    this.heard.set(subject, heard);
    return heard;
  }
}
