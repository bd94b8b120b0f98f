import { prettyLines } from './pretty-lines.js';

it('shows each line of a log for people, and leaves what is no JSON as it is', () => {
  const time = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const lines = [
    JSON.stringify({ level: 'info', time, service: 'agents', message: 'ready' }),
    JSON.stringify({ level: 'warn', time, service: 'gateway', message: 'slow', ms: 12.5, error: { name: 'Error' } }),
    'not JSON',
    '',
  ];
  expect(prettyLines(lines.join('\n'))).toBe(
    '03:04:05.006 INFO  agents: ready\n03:04:05.006 WARN  gateway: slow ms=12.5 error={"name":"Error"}\nnot JSON\n',
  );
});
