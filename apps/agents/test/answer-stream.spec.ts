import { AnswerStream } from '../src/models/answer-stream.js';
import { RunEndedError } from '@signalbox/runs';

const { jest } = import.meta;

interface Piece {
  content: string;
  restart: boolean;
}

function answerStream(
  options: { stale?: boolean; followed?: () => boolean; tell?: (piece: Piece) => Promise<void> } = {},
) {
  const pieces: Piece[] = [];
  let heard: () => void = () => undefined;
  const made = new AnswerStream({
    isEnabled: true,
    emit: async (content, restart) => {
      await options.tell?.({ content, restart });
      pieces.push({ content, restart });
    },
    hasSubscriber: options.followed ?? (() => true),
    onSubscriber: (then) => {
      heard = then;
      return () => undefined;
    },
    stale: options.stale ?? false,
  });
  return { made, pieces, follow: () => heard() };
}

const pause = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms).then(() => undefined);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const text = (pieces: Piece[]): string => pieces.map(({ content }) => content).join('');

describe('an answer stream', () => {
  it('is sent at once, then in a few chunks for any number of words', async () => {
    const { made, pieces } = answerStream();
    for (let word = 0; word < 30; word++) {
      made.append(`${word} `);
      await pause(5);
    }
    const result = await made.end();
    expect(pieces[0]!.content.startsWith('0 ')).toBe(true);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.length).toBeLessThan(9);
    expect(result).toEqual({ text: text(pieces), stale: false });
  });

  it('is not sent without a subscriber, and all of it as soon as one follows', async () => {
    let followed = false;
    const { made, pieces, follow } = answerStream({ followed: () => followed });
    made.append('a');
    made.append('b');
    await pause(80);
    expect(pieces).toEqual([]);
    followed = true;
    follow();
    await pause(40);
    expect(pieces).toEqual([{ content: 'ab', restart: false }]);
  });

  it('takes back the text of an earlier attempt, once', async () => {
    const { made, pieces } = answerStream({ stale: true });
    await made.begin();
    made.append('one');
    await pause(40);
    await made.begin();
    made.append('two');
    await pause(120);
    made.append(' three');
    await pause(120);
    expect(pieces).toEqual([
      { content: 'one', restart: true },
      { content: 'two', restart: true },
      { content: ' three', restart: false },
    ]);
    expect(await made.end()).toEqual({ text: 'two three', stale: false });
  });

  it('reports an attempt whose text is still to be taken back when nothing was sent after it', async () => {
    const { made } = answerStream();
    await made.begin();
    made.append('one');
    await pause(40);
    await made.begin();
    expect(await made.end()).toEqual({ text: '', stale: true });
  });

  it('sends later what could not be sent at once', async () => {
    let fails = true;
    const { made, pieces } = answerStream({
      tell: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve()),
    });
    made.append('a');
    await pause(40);
    fails = false;
    made.append('b');
    await pause(1100);
    expect(pieces).toEqual([{ content: 'ab', restart: false }]);
    expect(made.signal.aborted).toBe(false);
  });

  it('ends when the task is over', async () => {
    const over = new RunEndedError();
    const { made } = answerStream({ tell: () => Promise.reject(over) });
    made.append('a');
    await pause(40);
    expect(made.signal.reason).toBe(over);
  });
});
