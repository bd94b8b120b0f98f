import { judgeEvent, keptEntry } from './script-log.js';

const none = () => ({ entries: 0, bytes: 0 });

describe('the log of a run', () => {
  it('keeps 1000 entries, the last of which says that there were more', () => {
    const size = none();
    const kept = Array.from({ length: 1100 }, (_, at) => keptEntry(size, { level: 'info', message: String(at) }));
    expect(kept.filter(Boolean)).toHaveLength(1000);
    expect(kept[998]).toEqual({ level: 'info', message: '998' });
    expect(kept[999]).toMatchObject({ level: 'warn', message: expect.stringContaining('not kept') });
    expect(kept[1000]).toBeNull();
  });

  it('keeps 64 KiB, counted in UTF-8, and 8 KiB of one message', () => {
    const size = none();
    const long = keptEntry(size, { level: 'info', message: `${'x'.repeat(8173)}${'😀'.repeat(500)}` });
    expect(long?.message).toMatch(/^x+ \[cut: \d+ bytes\]$/);
    expect(long?.message.length).toBeLessThanOrEqual(8192);
    const kept = Array.from({ length: 40 }, () => keptEntry(size, { level: 'info', message: 'ä'.repeat(1024) }));
    const bytes = kept.reduce((sum, entry) => sum + Buffer.byteLength(entry?.message ?? ''), 8192);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
    expect(kept.at(-1)).toBeNull();
  });
});

describe('the events of a run', () => {
  const verdicts = (events: unknown[]) => {
    const size = none();
    return events.map((event) => judgeEvent(size, event));
  };

  it.each([
    ['number', new Array<unknown>(10_002).fill(1), 10_000],
    [
      'bytes, also for one that would fit',
      [...new Array<unknown>(128).fill('x'.repeat(65_533)), 'x'.repeat(64_000), 1, 1],
      128,
    ],
  ])('are bounded in %s, and the first that is dropped is known', (_, events, sent) => {
    const judged = verdicts(events);
    expect(judged.filter((each) => each === 'send')).toHaveLength(sent);
    expect(judged.slice(sent)).toEqual(['first-dropped', ...new Array<string>(events.length - sent - 1).fill('drop')]);
  });
});
