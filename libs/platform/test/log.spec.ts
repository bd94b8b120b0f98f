import { execFileSync } from 'node:child_process';
import { scrub } from '../src/log.js';

const KEY = `svk_${'a'.repeat(8)}_${'b'.repeat(38)}`;

/** The lines that a program writes with a separate logger. */
function logged(statements: string): Record<string, unknown>[] {
  const program = `import { createLogger } from ${JSON.stringify(new URL('../src/log.js', import.meta.url).href)};
const log = createLogger('test', 'info');
${statements}
log.flush();`;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a log line', () => {
  it('contains no key, be it in its fields, its message or the arguments of the message', () => {
    const lines = logged(`log.info({ note: 'with ${KEY}' }, 'said ${KEY}');
log.info('said ${KEY}');
log.info('said %s and %j', '${KEY}', { api_key: 'hidden', name: 'shown' });
log.error({ error: new Error('failed with ${KEY}') }, 'and %s', '${KEY}');`);
    const shown = 'svk_aaaaaaaa_[secret]';
    expect(lines.map(({ message }) => message)).toEqual([
      `said ${shown}`,
      `said ${shown}`,
      `said ${shown} and {"api_key":"[secret]","name":"shown"}`,
      `and ${shown}`,
    ]);
    expect(lines[0]).toMatchObject({ note: `with ${shown}` });
    expect(lines[3]).toMatchObject({ error: { message: `failed with ${shown}` } });
  });
});

describe('scrubbed values', () => {
  it('keep counts of tokens and mask tokens', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } };
    const counts = { max_tokens: 100, max_completion_tokens: null, first_token_time_ms: 12, usage };
    expect(scrub(counts)).toEqual(counts);
    const secrets = {
      token: 'a',
      access_token: 'b',
      tokens: ['c'],
      max_tokens: 'text',
      session_token: 5,
      token_limit: 'x',
    };
    expect(new Set(Object.values(scrub(secrets) as object))).toEqual(new Set(['[secret]']));
  });
});
