import { rowsOf } from './columns.js';
import { NONE } from './metrics.js';

describe('metrics in columns', () => {
  it('are decoded to their rows and totals', () => {
    const rows = rowsOf({
      bucket: [10, 20],
      key: ['a', null],
      measures: { recorded: [2, 3] },
      lengths: { latencies: [6, 0], first_tokens: [0, 6] },
      latencies: Buffer.from('abcdef').toString('base64'),
      first_tokens: Buffer.from('ghijkl').toString('base64'),
    });
    expect([rows.buckets, rows.keys]).toEqual([
      [10, 20],
      ['a', null],
    ]);
    expect(rows.at(0)).toEqual({ ...NONE, recorded: 2, latencies: Buffer.from('abcdef') });
    expect(rows.at(1)).toEqual({ ...NONE, recorded: 3, first_tokens: Buffer.from('ghijkl') });
    const together = { latencies: Buffer.from('abcdef'), first_tokens: Buffer.from('ghijkl') };
    expect(rows.total()).toEqual({ ...NONE, recorded: 5, ...together });
  });

  it('are empty without rows', () => {
    const none = rowsOf({ bucket: null, key: null, measures: {}, lengths: {}, latencies: null });
    expect([none.buckets, none.keys, none.total()]).toEqual([[], [], NONE]);
  });
});
