import { onScrape, scrape } from './metrics.js';

describe('the metrics', () => {
  it('are replied while a measurement does not end, which is not begun again', async () => {
    let begun = 0;
    const remove = onScrape(() => {
      begun += 1;
      return new Promise(() => undefined);
    });
    try {
      for (const text of [await scrape(), await scrape()]) expect(text).toContain('process_cpu_seconds_total');
      expect(begun).toBe(1);
    } finally {
      remove();
    }
  }, 60_000);

  it('are measured anew at each scrape, also after a measurement that failed', async () => {
    let begun = 0;
    const remove = onScrape(() => Promise.reject(new Error(`failure ${++begun}`)));
    await scrape();
    await scrape();
    remove();
    await scrape();
    expect(begun).toBe(2);
  });
});
