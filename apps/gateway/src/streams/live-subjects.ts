import type { BusConnection } from '@signalbox/bus';

type Receive = (payload: Uint8Array) => void;

interface Subscription {
  receivers: Set<Receive>;
  unlisten: () => void;
}

/** Subscribes once per subject, so that NATS sends a message once, however many clients it concerns. */
export class LiveSubjects {
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(private readonly bus: Pick<BusConnection, 'listen'>) {}

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
