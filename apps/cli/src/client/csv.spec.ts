import { CsvLines } from './csv.js';

const FIRST = [{ type: 'started' }];
const LATER = [{ type: 'step', output: 'a' }];

describe('lines of CSV that are written page by page', () => {
  it('have columns of fields that only later records have, when they are known', () => {
    const lines = new CsvLines(undefined, ['output', 'type', 'error']);
    expect(lines.of(FIRST) + lines.of(LATER)).toBe('type,output,error\r\nstarted,,\r\nstep,a,\r\n');
    expect(lines.missing).toEqual([]);
  });

  it('name the fields that they leave out', () => {
    const lines = new CsvLines();
    expect(lines.of(FIRST) + lines.of(LATER)).toBe('type\r\nstarted\r\nstep\r\n');
    expect(lines.missing).toEqual(['output']);
  });

  it('leave out on request, without a word', () => {
    const lines = new CsvLines(['type'], ['output', 'type']);
    expect(lines.of(FIRST) + lines.of(LATER)).toBe('type\r\nstarted\r\nstep\r\n');
    expect(lines.missing).toEqual([]);
  });

  it('have a head also when there is no record', () => {
    expect(new CsvLines(undefined, ['type', 'output']).of([])).toBe('type,output\r\n');
  });
});
