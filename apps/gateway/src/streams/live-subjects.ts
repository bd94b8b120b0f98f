import type { BusConnection } from '@signalbox/bus';

type Receive = (payload: Uint8Array) => void;

interface Subscription {
  receivers: Set<Receive>;
  unlisten: () => void;
}

/**
 * The live subjects of the streams of this process. Each is subscribed to once: the bus sends a message once, however
 * many clients it concerns.
 */
export class LiveSubjects {
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(private readonly bus: Pick<BusConnection, 'listen'>) {}

  /** Calls back with every payload that is published on a subject; returns the function that ends it. */
  listen(subject: string, receive: Receive): () => void {
    const subscription = this.subscriptions.get(subject) ?? this.subscribe(subject);
    subscription.receivers.add(receive);
    return () => {
      if (!subscription.receivers.delete(receive) || subscription.receivers.size > 0) return;
      subscription.unlisten();
      this.subscriptions.delete(subject);
    };
  }

  private subscribe(subject: string): Subscription {
    const receivers = new Set<Receive>();
    const unlisten = this.bus.listen(subject, (payload) => {
      for (const receive of receivers) receive(payload);
    });
    const subscription = { receivers, unlisten };
    this.subscriptions.set(subject, subscription);
    return subscription;
  }
}
