import { CAPS, ExecutionCaps } from './execution-caps.js';

const log = 'log';
const call = 'call';

describe('the caps of an execution', () => {
  it('cut long log lines, and drop what comes after a full log', () => {
    const caps = new ExecutionCaps();
    const [first] = [caps.judge(log, 'x'.repeat(CAPS.logLineLength + 1))];
    expect(first).toEqual({ kind: 'pass', body: `${'x'.repeat(CAPS.logLineLength - 1)}…` });
    const verdicts = Array.from({ length: 20 }, () => caps.judge(log, 'x'.repeat(CAPS.logLineLength)).kind);
    expect(verdicts.slice(0, 7)).toEqual(new Array(7).fill('pass'));
    expect(verdicts.slice(7)).toEqual(['last-log', ...new Array<string>(12).fill('drop')]);
  });

  it('cut the message of a failure', () => {
    const caps = new ExecutionCaps();
    const body = `${'x'.repeat(CAPS.failureLength - 1)}…`;
    expect(caps.judge('failed', 'x'.repeat(CAPS.failureLength + 1))).toEqual({ kind: 'pass', body });
  });

  it('bound the number of log lines', () => {
    const caps = new ExecutionCaps();
    const verdicts = Array.from({ length: CAPS.logLines + 2 }, () => caps.judge(log, 'x').kind);
    expect(verdicts.slice(-3)).toEqual(['pass', 'last-log', 'drop']);
  });

  it('end an execution with too many open host calls, and refuse one host call too many', () => {
    const crowd = new ExecutionCaps();
    for (let count = 0; count < CAPS.hostCallsAtOnce; count++) expect(crowd.judge(call, '[]').kind).toBe('pass');
    expect(crowd.judge(call, '[]').kind).toBe('end');
    const many = new ExecutionCaps();
    for (let count = 0; count < CAPS.hostCalls; count++) {
      expect(many.judge(call, '[]').kind).toBe('pass');
      many.replied();
    }
    expect(many.judge(call, '[]')).toEqual({ kind: 'refuse', message: 'the script made more than 5000 host calls' });
  });

  it('count the reads of streams apart from other calls', () => {
    const caps = new ExecutionCaps();
    const judge = (member: string) => {
      const { kind } = caps.judge(call, '[]', member);
      caps.replied();
      return kind;
    };
    const reads = new Set(Array.from({ length: CAPS.streamReads }, () => judge('chat.completions.read')));
    expect([...reads]).toEqual(['pass']);
    expect(judge('chat.completions.read')).toBe('refuse');
    expect(judge('chat.completions.stream')).toBe('pass');
  });

  it.each([
    ['an event that is too long', ['emit', 'ä'.repeat(CAPS.eventBytes / 2 + 1)]],
    ['an output that is too long', ['completed', 'x'.repeat(CAPS.outputLength + 1)]],
    ['arguments that are too long', [call, 'x'.repeat(CAPS.argumentLength + 1)]],
    ['more than all frames may have', ['emit', 'x'.repeat(CAPS.totalLength + 1)]],
  ] as const)('end an execution with %s', (_, [kind, body]) => {
    expect(new ExecutionCaps().judge(kind, body).kind).toBe('end');
  });
});
