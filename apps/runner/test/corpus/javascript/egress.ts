import { family } from './attack.js';

// A10: ways around the function that fetches. The host refuses every address here; what would reach the listener went
// around it.

const ADDRESSES = [
  "'http://127.0.0.1:' + PORT",
  "'http://[::1]:' + PORT",
  "'http://0.0.0.0:' + PORT",
  "'http://localhost:' + PORT",
  "'http://2130706433:' + PORT",
  "'http://0x7f.1:' + PORT",
  "'http://user@127.0.0.1:' + PORT",
  "'//127.0.0.1:' + PORT",
  "'file:///etc/passwd'",
  "'unix:/tmp/nats.sock'",
];

export const egress = family('A10 egress', [
  ...ADDRESSES.map(
    (address) => [`fetch of ${address}`, `const PORT = ctx.params.port; await ctx.http.fetch(${address})`] as const,
  ),
  [
    'URL as an object',
    "await ctx.http.fetch({ href: 'http://127.0.0.1:' + ctx.params.port, toString() { return this.href } })",
  ],
  [
    'URL that changes when it is read again',
    "let n = 0; await ctx.http.fetch({ toJSON: () => (n++ ? 'http://127.0.0.1:' + ctx.params.port : 'https://example.com') })",
  ],
  [
    'options with an agent',
    "await ctx.http.fetch('https://example.com', { agent: {}, dispatcher: {}, socketPath: '/tmp/x', lookup: () => '127.0.0.1' })",
  ],
  [
    'options with a proxy',
    "await ctx.http.fetch('https://example.com', { proxy: 'http://127.0.0.1:' + ctx.params.port })",
  ],
  [
    'header with a line break',
    "await ctx.http.fetch('https://example.com', { headers: { 'x': 'y\\r\\nHost: 127.0.0.1' } })",
  ],
  [
    'a global client',
    "for (const f of [globalThis.fetch, globalThis.XMLHttpRequest, globalThis.WebSocket, globalThis.EventSource]) if (f) found('a client', f)",
  ],
  [
    'a socket of the engine',
    "for (const f of ['os', 'std', 'net', 'http', 'tls', 'dgram', 'dns']) if (globalThis[f]) found('a module', f)",
  ],
  ['an agent as a way out', "await ctx.agents.invoke({ url: 'http://127.0.0.1:' + ctx.params.port })"],
  [
    'a model as a way out',
    "await ctx.chat.completions.create({ model: 'x', base_url: 'http://127.0.0.1:' + ctx.params.port })",
  ],
  [
    'an artifact as a way out',
    "await ctx.artifacts.put('../../etc/cron.d/x', 'x'); await ctx.artifacts.get('file:///etc/passwd')",
  ],
]);
