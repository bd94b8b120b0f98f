import type { Caller, Key } from '@signalbox/contracts';
import { batchMessage, cutBatch, READ_ALONE } from '../batch-frames.js';
import type { ReceivedReply } from '../wire.js';

interface Reader {
  key: Key;
  caller: Caller;
  resolve: (body: Uint8Array | null) => void;
  reject: (error: Error) => void;
}

/** Deadlines of the readers of one turn differ by less; only a noticeably shorter one gets a timer of its own. */
const SAME_DEADLINE_MS = 100;

type Send = (payload: Uint8Array, deadline: number, callers: readonly Caller[]) => Promise<ReceivedReply>;

const MAX_BATCH = 64;

/**
 * Batches the reads of one event-loop turn for an endpoint into one message. Batches do not wait for each other, so a
 * slow one delays only itself; a read sees every write that was acknowledged before it was sent.
 */
export class ReadBatcher {
  private gathered: Reader[] = [];

  constructor(
    private readonly send: Send,
    private readonly timedOut: () => Error,
  ) {}

  read(key: Key, caller: Caller): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      if (this.gathered.length === 0) setImmediate(() => this.flush());
      this.gathered.push({ key, caller, resolve, reject });
      if (this.gathered.length >= MAX_BATCH) this.flush();
    });
  }

  private flush(): void {
    const readers = this.gathered;
    if (readers.length === 0) return;
    this.gathered = [];
    this.readTogether(readers);
  }

  private readTogether(readers: Reader[]): void {
    const callers = readers.map(({ caller }) => caller);
    const deadline = Math.max(...callers.map((caller) => caller.deadline));
    const timers = readers
      .filter((reader) => deadline - reader.caller.deadline > SAME_DEADLINE_MS)
      .map(({ caller, reject }) => setTimeout(() => reject(this.timedOut()), caller.deadline - Date.now()));
    const payload = batchMessage({
      keys: readers.map((reader) => reader.key),
      deadline,
      requestIds: callers.map(({ requestId }) => requestId),
    });
    this.send(payload, deadline, callers)
      .then(
        ({ body }) => {
          const bodies = cutBatch(body);
          readers.forEach((reader, index) => {
            const found = bodies[index] ?? null;
            if (found === READ_ALONE) this.readTogether([reader]);
            else reader.resolve(found);
          });
        },
        (error: Error) => readers.forEach((reader) => reader.reject(error)),
      )
      .finally(() => timers.forEach(clearTimeout));
  }
}
