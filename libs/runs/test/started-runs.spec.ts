import { StartedRuns } from '@signalbox/runs';

const RUN = { id: 'r' };

/** A transaction that offers the run; its worker takes it at the commit. */
const accepting = (started: StartedRuns<typeof RUN, string>, commit: () => void) =>
  started.accepting(RUN.id, () => {
    started.offer(RUN, true);
    commit();
    return Promise.resolve('accepted');
  });

describe('a run that is started in the transaction of its acceptance', () => {
  let started: StartedRuns<typeof RUN, string>;
  beforeEach(() => (started = new StartedRuns()));

  it('is taken once, at the commit', async () => {
    let taken: unknown[] = [];
    await accepting(started, () => (taken = [started.take(RUN.id), started.take(RUN.id)]));
    expect(taken).toEqual([RUN, null]);
    expect(started.isFresh(RUN)).toBe(true);
  });

  it('is read by a worker that begins later', async () => {
    await accepting(started, () => undefined);
    expect(started.take(RUN.id)).toBeNull();
  });

  it('is neither offered nor awaited when the transaction fails', async () => {
    const failed = accepting(started, () => {
      throw new Error('the commit failed');
    });
    await expect(failed).rejects.toThrow('the commit failed');
    expect([started.take(RUN.id), started.replyOf(RUN.id)]).toEqual([null, undefined]);
  });

  it('passes its end to the call that waits for it, which reads only what this process does not know', async () => {
    await accepting(started, () => started.take(RUN.id));
    const reply = started.replyOf(RUN.id);
    const read = () => Promise.resolve('read');
    expect(await reply?.find(read)).toBeNull();
    expect(await reply?.find(read)).toBe('read');
    reply?.ended('ended');
    expect(await reply?.find(read)).toBe('ended');
  });
});
