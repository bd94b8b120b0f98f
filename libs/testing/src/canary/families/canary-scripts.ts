import { SECRET_NAMES } from './canary-agents.js';

/** Encodings in which a careless script writes secrets. */
const FORMS = `
const hex = (text) => [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64 = (text) => {
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((next) => text.charCodeAt(at + next) || 0);
    const bits = (a << 16) | (b << 8) | c;
    out += [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63]).join('');
  }
  const missing = (3 - (text.length % 3)) % 3;
  return out.slice(0, out.length - missing) + '='.repeat(missing);
};
const forms = (value) => [
  value, encodeURIComponent(value), JSON.stringify(value), hex(value), base64(value), [...value].reverse().join(''),
];
const valuesOf = (ctx) => ${JSON.stringify(SECRET_NAMES)}.map((name) => ctx.secrets.get(name));
const show = (ctx, [token, direct, inUrl, inJson], path) => ctx.http.fetch(ctx.params.url + path + '?t=' + encodeURIComponent(inUrl), {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'x-direct': direct, 'x-in-url': inUrl, 'x-in-json': inJson },
  body: { token },
});
`;

const LEAKY = `${FORMS}
async function execute(ctx) {
  const values = valuesOf(ctx);
  const [token] = values;
  const leaks = values.flatMap(forms);
  const { text, headers } = await show(ctx, values, '/echo');
  const attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      ctx.log('error', error.name + ': ' + error.message);
    }
  };
  for (const leak of leaks) {
    ctx.log('info', 'a secret: ' + leak);
    ctx.emit({ leak, [leak]: leak });
  }
  ctx.log('warn', { leaks, headers });
  // The platform cuts a long message in the middle of the secret.
  ctx.log('info', 'x'.repeat(8192 - 24) + token);
  for (const leak of leaks.slice(0, 6)) await attempt(() => ctx.step('step ' + leak, () => ({ leak, [leak]: leak })));
  await attempt(() => ctx.artifacts.put('kept.txt', leaks.join() + text));
  await attempt(() => ctx.artifacts.put('kept.bin', base64('\\xff\\xfe' + leaks.join()), { encoding: 'base64' }));
  await attempt(() => ctx.artifacts.put(hex(token) + '.txt', 'x', { content_type: 'text/x-' + hex(token) }));
  await attempt(() => ctx.artifacts.get(hex(token)));
  await attempt(() => ctx.workflows.execute(token, { token }));
  await attempt(() => ctx.workflows.execute('canary-child', { leaks, url: ctx.params.url }));
  await attempt(() => ctx.agents.invoke(hex(token), { message: token }));
  await attempt(() => ctx.http.fetch('http://' + hex(token).slice(0, 60) + '.invalid/' + hex(token)));
  await attempt(() => ctx.chat.completions.create({ model: 'played', user: token, messages: [{ role: 'user', content: leaks.join() }] }));
  return { leaks, text, [token]: headers };
}
`;

/** A nested run has the secrets of its parent. */
const CHILD = `${FORMS}
async function execute(ctx) {
  ctx.log('info', { given: ctx.input, own: valuesOf(ctx) });
  return ctx.input.leaks;
}
`;

/** The platform cuts the message in the middle of the secret. */
const FAILING = `${FORMS}
async function execute(ctx) {
  const values = valuesOf(ctx);
  await show(ctx, values, '/status/404');
  throw new Error('x'.repeat(1976) + values[0]);
}
`;

const HANGING = `${FORMS}
async function execute(ctx) {
  await show(ctx, valuesOf(ctx), '/hang');
}
`;

const PYTHON = `
import base64, json
def execute(ctx):
    values = [ctx.secrets.get(name) for name in ${JSON.stringify(SECRET_NAMES)}]
    token, direct, in_url, in_json = values
    ctx.http.fetch(ctx.params["url"] + "/echo", method="POST", headers={
        "authorization": "Bearer " + token, "x-direct": direct, "x-in-url": in_url, "x-in-json": in_json,
    })
    leaks = [form for value in values for form in (value, value[::-1], value.encode().hex(), base64.b64encode(value.encode()).decode())]
    print(*leaks)
    ctx.log("info", json.dumps(leaks))
    ctx.step("leaks", lambda: leaks)
    ctx.artifacts.put("python.txt", "\\n".join(leaks))
    return {leak: leak for leak in leaks}
`;

export const CANARY_SCRIPTS = {
  'canary-child': { language: 'javascript', script: CHILD },
  'canary-leaky': { language: 'javascript', script: LEAKY },
  'canary-failing': { language: 'javascript', script: FAILING },
  'canary-hanging': { language: 'javascript', script: HANGING },
  'canary-python': { language: 'python', script: PYTHON },
} as const;
