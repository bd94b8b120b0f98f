import { bar, ProgressBar } from './progress.js';
import { fields, printable, table } from './tables.js';

describe('a table', () => {
  const rows = [
    { id: 7, config: {}, agent_name: 'Helper', status: 'ENABLED', application_id: 1, date_created: 1_763_800_000_000 },
    { id: 12, config: {}, agent_name: 'A much longer\nname', status: 'DISABLED', application_id: 1, date_created: 0 },
  ];

  it('shows the telling fields of plain records, one line each', () => {
    expect(table(rows).split('\n')).toEqual([
      'id  agent_name          status    date_created',
      '7   Helper              ENABLED   2025-11-22 08:26:40',
      '12  A much longer name  DISABLED  0',
    ]);
    expect(table([])).toBe('(none)');
  });

  it('shows named columns, and no line is wider than the terminal', () => {
    expect(table(rows, ['id', 'config'])).toBe('id  config\n7   {}\n12  {}');
    expect(table(rows, ['agent_name', 'status'], 10).split('\n')[2]).toBe('A much lo…');
  });

  it('of one record has a line for each field', () => {
    expect(fields({ id: 7, prompt: 'a\nb', parts: [1] })).toBe('id      7\nprompt  a\n        b\nparts   [1]');
  });
});

describe('a text that commands the terminal', () => {
  const hostile = 'a\u001b[2J\u001b]0;title\u0007\u009b1m\u202eb';
  const shown = 'a\\u001b[2J\\u001b]0;title\\u0007\\u009b1m\\u202eb';

  it('is shown with escapes, in lists, records and events', () => {
    expect(table([{ name: hostile }], ['name'], 200)).toBe(`name\n${shown}`);
    expect(fields({ name: hostile, [hostile]: 1 })).toContain(`  ${shown}\n${shown}  1`);
    expect(printable(`${hostile}\r\n\tend\r`)).toBe(`${shown}\n\tend\\u000d`);
  });
});

describe('a progress bar', () => {
  it('shows the share that is done', () => {
    expect(bar({ done: 5, total: 10, note: '1 failed' })).toBe(
      `[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %  5/10  1 failed`,
    );
    expect(bar({ done: 0, total: 0 })).toContain('100 %');
  });

  it('writes a line for every tenth when the output is no terminal', () => {
    const lines: string[] = [];
    const output = { isTTY: false, write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
    const shown = new ProgressBar(output);
    for (let done = 0; done <= 100; done++) shown.show({ done, total: 100 });
    shown.end();
    expect(lines).toHaveLength(11);
  });
});
