import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, json, newHelper, signalbox } from './fixture.js';

describe('an evaluation', () => {
  const HOSTILE = '<b>|`x`|</b>\n@everyone [link](http://x)';
  const item = (set: number, content: string, text: string) =>
    json<{ id: number }>([
      ...['test-sets', 'create-item', String(set), JSON.stringify({ messages: [{ role: 'user', content }] })],
      ...['--expected-output', JSON.stringify({ text })],
    ]);
  const evaluate = (words: string[], env = {}) => signalbox(['eval', '--set', 'Evaluated', ...words], { env });
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  let agentId: number;
  let set: number;
  let second: number;
  beforeAll(async () => {
    agentId = await newHelper();
    set = (await json<{ id: number }>(['test-sets', 'create', 'Evaluated'])).id;
    await item(set, 'one', '[simulated] one');
    second = (await item(set, HOSTILE, `[simulated] ${HOSTILE}`)).id;
  });

  it('exits with 0 when all is well, and writes its reports', async () => {
    const green = await evaluate(['--model', 'simulated-echo', '--junit', 'made/for/j.xml', '--markdown', 'm.md']);
    expect({ code: green.code, stderr: green.stderr }).toEqual({ code: 0, stderr: '' });
    expect(green.stdout).toMatch(/^test run \d+: passed\nmatch rate +100 %\nitems +2, matched 2, errors 0\n$/);
    expect(file('made/for/j.xml')).toContain('tests="2" failures="0" errors="0" skipped="0"');
    expect(file('m.md')).toContain('### Passed: simulated-echo against Evaluated');
  });

  it('exits with 5 below the bar, and shows what became worse', async () => {
    await signalbox([
      ...['test-sets', 'update-item', String(set), String(second)],
      ...['--expected-output', JSON.stringify({ text: HOSTILE })],
    ]);
    const red = await evaluate(['--model', 'simulated-echo', '--markdown', 'm.md', '--baseline', 'last']);
    expect(red.code).toBe(5);
    expect(red.stdout).toContain('the match rate is 50 %, below 90 %');
    expect(red.stdout).toMatch(/^match rate +50 %, 100 % in run \d+ \(too few\)$/m);
    expect(red.stdout).toMatch(new RegExp(`Regressions since run \\d+\nitem .*\n${second} +PASS +FAIL`));
    const markdown = file('m.md');
    expect(markdown).toMatch(
      new RegExp(`^\\| ${second} \\| PASS \\| FAIL \\| [^|\n<@\\[\`]+ \\| [^|\n<@\\[\`]+ \\| - \\|$`, 'm'),
    );
    const accepted = await evaluate(['--model', 'simulated-echo', '--min-match-rate', '0.5', '--json']);
    expect(accepted.code).toBe(0);
    const { compared_with, worse } = JSON.parse(accepted.stdout) as { compared_with: object; worse: object[] };
    expect([compared_with, worse]).toMatchObject([{ match_rate: 0.5 }, []]);
    // What failed before and fails again is no regression, and still the reason.
    const again = await evaluate(['--model', 'simulated-echo', '--markdown', 'm.md']);
    expect([again.code, again.stdout]).toEqual([
      5,
      expect.stringMatching(new RegExp(`Items that do not pass\nitem .*\n${second} +FAIL`)) as string,
    ]);
    expect(file('m.md')).toMatch(new RegExp(`^Items that do not pass$[^]*^\\| ${second} \\| - \\| FAIL`, 'm'));
  });

  it('exits with 5 when the gate of the release refuses the version', async () => {
    const policy = JSON.stringify({ test_set_id: set, min_match_rate: 0.9, max_age_ms: 86_400_000 });
    await json(['agents', 'publish-version', String(agentId)]);
    await json(['agents', 'create-release', String(agentId), 'gated', '1.0.0']);
    await json(['agents', 'update-release', String(agentId), 'gated', '--gate-policy', policy]);
    const words = ['--agent', 'Helper', '--version', '1.0.0', '--release', 'gated', '--min-match-rate', '0'];
    // A pipeline that changes nothing.
    const { key } = await json<{ key: string }>(['api-keys', 'create', 'CI', '--scopes', 'read,invoke']);
    const refused = await evaluate(words, { SIGNALBOX_API_KEY: key });
    expect([refused.code, refused.stdout]).toEqual([
      5,
      expect.stringMatching(/^ {2}gate: the match rate of/m) as string,
    ]);
    expect(refused.stdout).toMatch(/^gate +refused$/m);
  });

  it('exits with 1 when the run shows nothing', async () => {
    await json(['test-sets', 'create', 'Nothing']);
    const failed = await signalbox(['eval', '--set', 'Nothing', '--model', 'simulated-echo', '--junit', 'j.xml']);
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('has no scored item') as string]);
    expect(file('j.xml')).toContain('tests="0"');
    const { id: partly } = await json<{ id: number }>(['test-sets', 'create', 'Partly']);
    await item(partly, 'one', '[simulated] one');
    const content = JSON.stringify({ messages: [{ role: 'user', content: 'two' }] });
    await json(['test-sets', 'create-item', String(partly), content]);
    const unscored = await signalbox(['eval', '--set', 'Partly', '--model', 'simulated-echo']);
    expect([unscored.code, unscored.stdout]).toEqual([1, expect.stringContaining('1 items have no verdict') as string]);
  });

  it('says which words are wrong, and starts nothing', async () => {
    const before = (await json<{ pagination: { total: number } }>(['test-runs', 'list'])).pagination.total;
    const cases: [string[], number, string][] = [
      [[], 2, 'needs one of --agent, --workflow, --model and --url'],
      [['--agent', 'Nobody'], 2, 'there is no agent with the name "Nobody"'],
      [['--model', 'm', '--release', 'x'], 2, 'a model has no --version and no --release'],
      [['--url', 'http://x/', '--agent', 'Helper', '--release', 'gated'], 2, '--release with --url needs --version'],
      [['--model', 'm', '--min-match-rate', '90'], 2, '--min-match-rate must be a number from 0 to 1'],
      [['--agent', 'Helper', '--secret', 'ABSENT'], 2, 'no environment variable'],
      [['--model', 'simulated-echo', '--junit', '/dev/null/j.xml'], 2, '/dev/null/j.xml cannot be written'],
      [['--model', 'nobody'], 4, 'model not found'],
      [['--model', 'simulated-echo', '--baseline', '2000000000'], 4, 'test run not found'],
    ];
    for (const [words, code, message] of cases)
      expect({ words, ...(await evaluate(words)) }).toMatchObject({
        words,
        code,
        stderr: expect.stringContaining(message) as string,
      });
    expect((await json<{ pagination: { total: number } }>(['test-runs', 'list'])).pagination.total).toBe(before);
    expect((await signalbox(['eval', '--help'])).stdout).toContain('--min-match-rate');
  });
});
