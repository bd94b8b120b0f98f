import { PushStream, type Sink } from './push-stream.js';
import { pushStreamOf } from './push-stream-of.js';
import { Transform } from './transform.js';

class Source extends PushStream<number> {
  readonly calls: string[] = [];

  emit(...chunks: number[]): void {
    chunks.forEach((chunk) => this.push(chunk));
  }
  complete = (): void => this.finish();
  failBehind = (error: unknown): void => this.finish({ error });
  cut = (error: unknown): void => this.destroy(error);

  override stop(): void {
    super.stop();
    this.calls.push('stop');
  }
  protected onDemand(): void {
    this.calls.push('more');
  }
  protected onOverflow(waiting: readonly number[]): void {
    this.calls.push(`${waiting.length} wait`);
  }
}

class Doubled extends Transform<number, string> {
  chunk(chunk: number): void {
    this.push(`${chunk}a`);
    this.push(`${chunk}b`);
  }
  end = (): void => this.finish();
  fail = (error: unknown): void => this.destroy(error);
}

class Listener<T> implements Sink<T> {
  readonly received: unknown[] = [];
  constructor(private readonly slowFor?: PushStream<T>) {}
  chunk(chunk: T): void {
    this.received.push(chunk);
    this.slowFor?.pause();
  }
  end = (): void => void this.received.push('end');
  fail = (error: unknown): void => void this.received.push(error);
}

describe('a push stream', () => {
  it('delivers buffered chunks first, then each chunk in the turn in which it arrives', () => {
    const source = new Source();
    source.emit(1, 2);
    const listener = new Listener<number>();
    source.to(listener);
    source.emit(3);
    expect(listener.received).toEqual([1, 2, 3]);
    source.complete();
    expect(listener.received).toEqual([1, 2, 3, 'end']);
  });

  it('delivers neither chunks nor the end to a paused sink', () => {
    const source = new Source();
    const listener = new Listener<number>(source);
    source.to(listener);
    source.emit(1, 2, 3);
    source.complete();
    expect(listener.received).toEqual([1]);
    expect(source.calls).toEqual(['more', '1 wait', '2 wait']);
    source.resume();
    source.resume();
    source.resume();
    expect(listener.received).toEqual([1, 2, 3, 'end']);
  });

  it('delivers a failure after the chunks that precede it', () => {
    const source = new Source();
    const listener = new Listener<number>(source);
    source.to(listener);
    source.emit(1, 2);
    source.failBehind('broken');
    expect(listener.received).toEqual([1]);
    source.resume();
    source.resume();
    expect(listener.received).toEqual([1, 2, 'broken']);
  });

  it('reports an abort once, even to a paused sink', () => {
    const source = new Source();
    const doubled = new Doubled(source);
    const listener = new Listener<string>(doubled);
    doubled.to(listener);
    source.emit(1);
    source.cut('gone');
    source.cut('gone again');
    source.complete();
    doubled.resume();
    expect(listener.received).toEqual(['1a', 'gone']);
  });

  it('delivers an earlier end to a sink that is attached later', () => {
    const source = new Source();
    const first = new Listener<number>(source);
    const second = new Listener<number>();
    source.to(first);
    source.emit(1, 2);
    source.cut('gone');
    source.to(second);
    expect(first.received).toEqual([1, 'gone']);
    expect(second.received).toEqual(['gone']);
  });

  it('propagates pause, resume and stop to its source', () => {
    const source = new Source();
    const doubled = new Doubled(source);
    const listener = new Listener<string>(doubled);
    doubled.to(listener);
    source.emit(1, 2);
    expect(listener.received).toEqual(['1a']);
    expect(source.calls).toEqual(['more', '1 wait']);
    for (let asked = 0; asked < 4; asked++) doubled.resume();
    expect(listener.received).toEqual(['1a', '1b', '2a', '2b']);
    doubled.stop();
    source.emit(3);
    expect(listener.received).toEqual(['1a', '1b', '2a', '2b']);
    expect(source.calls).toContain('stop');
  });
});

describe('a push stream that is iterated', () => {
  it('buffers at most one chunk ahead of its reader', async () => {
    const source = new Source();
    const chunks = source[Symbol.asyncIterator]();
    source.emit(1, 2, 3);
    source.complete();
    expect(source.calls).toContain('2 wait');
    const read = [await chunks.next(), await chunks.next(), await chunks.next(), await chunks.next()];
    expect(read.map(({ value }) => value)).toEqual([1, 2, 3, undefined]);
    expect(read.map(({ done }) => done)).toEqual([false, false, false, true]);
  });

  it('rejects with the error of the stream', async () => {
    const source = new Source();
    const chunks = source[Symbol.asyncIterator]();
    const next = chunks.next();
    source.cut(new Error('broken'));
    await expect(next).rejects.toThrow('broken');
    await expect(chunks.next()).rejects.toThrow('broken');
  });

  it('ends the read that waits when its reader gives up', async () => {
    const reader = new Source()[Symbol.asyncIterator]();
    const waiting = reader.next();
    await reader.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('stops when its reader breaks out of the loop', async () => {
    const source = new Source();
    setImmediate(() => source.emit(1, 2, 3));
    const read: number[] = [];
    for await (const chunk of source) {
      read.push(chunk);
      if (chunk === 2) break;
    }
    expect(read).toEqual([1, 2]);
    expect(source.calls).toContain('stop');
  });
});

describe('the push stream of an async iterable', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('reads no further than its sink consumes', async () => {
    let made = 0;
    let left = false;
    const stream = pushStreamOf(
      (async function* () {
        try {
          for (;;) yield await Promise.resolve(++made);
        } finally {
          left = true;
        }
      })(),
    );
    const listener = new Listener<number>(stream);
    stream.to(listener);
    await settled();
    expect(listener.received).toEqual([1]);
    expect(made).toBeLessThanOrEqual(2);
    stream.resume();
    stream.resume();
    await settled();
    expect(listener.received).toEqual([1, 2, 3]);
    stream.stop();
    await settled();
    expect(left).toBe(true);
  });

  it('fails with the error of the iterable', async () => {
    const listener = new Listener<number>();
    pushStreamOf(
      (async function* () {
        yield await Promise.resolve(1);
        throw new Error('broken');
      })(),
    ).to(listener);
    await settled();
    expect(listener.received).toEqual([1, new Error('broken')]);
  });

  it('is the same object when the input is a push stream', () => {
    const source = new Source();
    expect(pushStreamOf(source)).toBe(source);
  });
});
