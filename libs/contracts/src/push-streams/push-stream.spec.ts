import { PushStream, type Sink } from './push-stream.js';
import { feedOf } from './iterated.js';
import { Transform } from './transform.js';

/** A source that is told what to give, and writes down what it is asked. */
class Source extends PushStream<number> {
  readonly asked: string[] = [];

  say(...parts: number[]): void {
    parts.forEach((part) => this.give(part));
  }
  complete = (): void => this.finish();
  failBehind = (error: unknown): void => this.finish({ error });
  cut = (error: unknown): void => this.breakOff(error);

  override stop(): void {
    super.stop();
    this.asked.push('stop');
  }
  protected wanted(): void {
    this.asked.push('more');
  }
  protected tooFast(waiting: readonly number[]): void {
    this.asked.push(`${waiting.length} wait`);
  }
}

/** Each part twice. */
class Doubled extends Transform<number, string> {
  part(part: number): void {
    this.give(`${part}a`);
    this.give(`${part}b`);
  }
  end = (): void => this.finish();
  fail = (error: unknown): void => this.breakOff(error);
}

/** Writes down what it is told; says `pause` after each part when it is slow. */
class Listener<T> implements Sink<T> {
  readonly heard: unknown[] = [];
  constructor(private readonly slowFor?: PushStream<T>) {}
  part(part: T): void {
    this.heard.push(part);
    this.slowFor?.pause();
  }
  end = (): void => void this.heard.push('end');
  fail = (error: unknown): void => void this.heard.push(error);
}

describe('a feed', () => {
  it('gives what has come before its taker first, then each part in the turn in which it comes', () => {
    const source = new Source();
    source.say(1, 2);
    const listener = new Listener<number>();
    source.to(listener);
    source.say(3);
    expect(listener.heard).toEqual([1, 2, 3]);
    source.complete();
    expect(listener.heard).toEqual([1, 2, 3, 'end']);
  });

  it('gives nothing to a taker who pauses, neither a part nor the end', () => {
    const source = new Source();
    const listener = new Listener<number>(source);
    source.to(listener);
    source.say(1, 2, 3);
    source.complete();
    expect(listener.heard).toEqual([1]);
    expect(source.asked).toEqual(['more', '1 wait', '2 wait']);
    source.resume();
    source.resume();
    source.resume();
    expect(listener.heard).toEqual([1, 2, 3, 'end']);
  });

  it('tells of a failure behind the parts that came before it', () => {
    const source = new Source();
    const listener = new Listener<number>(source);
    source.to(listener);
    source.say(1, 2);
    source.failBehind('broken');
    expect(listener.heard).toEqual([1]);
    source.resume();
    source.resume();
    expect(listener.heard).toEqual([1, 2, 'broken']);
  });

  it('tells even a taker who pauses that it was cut off, once', () => {
    const source = new Source();
    const doubled = new Doubled(source);
    const listener = new Listener<string>(doubled);
    doubled.to(listener);
    source.say(1);
    source.cut('gone');
    source.cut('gone again');
    source.complete();
    doubled.resume();
    expect(listener.heard).toEqual(['1a', 'gone']);
  });

  it('goes on with another taker, who hears of an end that came in between', () => {
    const source = new Source();
    const first = new Listener<number>(source);
    const second = new Listener<number>();
    source.to(first);
    source.say(1, 2);
    source.cut('gone');
    source.to(second);
    expect(first.heard).toEqual([1, 'gone']);
    expect(second.heard).toEqual(['gone']);
  });

  it('passes a pause on to its source, and what is asked of it', () => {
    const source = new Source();
    const doubled = new Doubled(source);
    const listener = new Listener<string>(doubled);
    doubled.to(listener);
    source.say(1, 2);
    expect(listener.heard).toEqual(['1a']);
    expect(source.asked).toEqual(['more', '1 wait']);
    for (let asked = 0; asked < 4; asked++) doubled.resume();
    expect(listener.heard).toEqual(['1a', '1b', '2a', '2b']);
    doubled.stop();
    source.say(3);
    expect(listener.heard).toEqual(['1a', '1b', '2a', '2b']);
    expect(source.asked).toContain('stop');
  });
});

describe('a feed that is iterated', () => {
  it('waits for its reader with all but one part', async () => {
    const source = new Source();
    const parts = source[Symbol.asyncIterator]();
    source.say(1, 2, 3);
    source.complete();
    expect(source.asked).toContain('2 wait');
    const read = [await parts.next(), await parts.next(), await parts.next(), await parts.next()];
    expect(read.map(({ value }) => value)).toEqual([1, 2, 3, undefined]);
    expect(read.map(({ done }) => done)).toEqual([false, false, false, true]);
  });

  it('ends with the error it ends with', async () => {
    const source = new Source();
    const parts = source[Symbol.asyncIterator]();
    const next = parts.next();
    source.cut(new Error('broken'));
    await expect(next).rejects.toThrow('broken');
    await expect(parts.next()).rejects.toThrow('broken');
  });

  it('stops when its reader leaves the loop', async () => {
    const source = new Source();
    setImmediate(() => source.say(1, 2, 3));
    const read: number[] = [];
    for await (const part of source) {
      read.push(part);
      if (part === 2) break;
    }
    expect(read).toEqual([1, 2]);
    expect(source.asked).toContain('stop');
  });
});

describe('the feed of something iterable', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('asks for no more than is taken', async () => {
    let made = 0;
    let left = false;
    const feed = feedOf(
      (async function* () {
        try {
          for (;;) yield await Promise.resolve(++made);
        } finally {
          left = true;
        }
      })(),
    );
    const listener = new Listener<number>(feed);
    feed.to(listener);
    await settled();
    expect(listener.heard).toEqual([1]);
    expect(made).toBeLessThanOrEqual(2);
    feed.resume();
    feed.resume();
    await settled();
    expect(listener.heard).toEqual([1, 2, 3]);
    feed.stop();
    await settled();
    expect(left).toBe(true);
  });

  it('ends as the iterable does', async () => {
    const listener = new Listener<number>();
    feedOf(
      (async function* () {
        yield await Promise.resolve(1);
        throw new Error('broken');
      })(),
    ).to(listener);
    await settled();
    expect(listener.heard).toEqual([1, new Error('broken')]);
  });

  it('is the feed itself when it is one', () => {
    const source = new Source();
    expect(feedOf(source)).toBe(source);
  });
});
