// Records the fixtures of the mapping of traces anew: `npm run build && node test/emitters/record.mjs [NAME ...]`. Each
// program runs against a local provider of models and a local receiver of traces, which writes what it gets.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startModelProvider } from '@signalbox/testing';

const HERE = import.meta.dirname;
const FIXTURES = fileURLToPath(new URL('../../apps/traffic/test/otel/fixtures/', import.meta.url));
const QUESTION = 'Where is order 7?';

const EMITTERS = {
  'openai-agents': { program: 'openai-agents.mjs' },
  'vercel-ai-7': { program: 'vercel-ai.mjs' },
  'vercel-ai-7-legacy': { program: 'vercel-ai.mjs', env: { LEGACY: '1' } },
  'semconv-old': {
    program: 'azure-inference.mjs',
    env: { AZURE_TRACING_GEN_AI_CONTENT_RECORDING_ENABLED: 'true' },
    needsPackages: true,
  },
};

/** Calls each tool once, then answers. */
function reply({ tools = [], messages }) {
  const called = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)));
  const name = tools.map((tool) => tool.function.name).find((each) => !called.has(each));
  if (name === undefined) return 'Order 7 is on its way.';
  return { toolCalls: [{ name, arguments: name === 'look_up' ? { order: '7' } : {} }] };
}

/** Runs a program; resolves to the exports that it sends. */
async function exportsOf({ program, env = {} }) {
  const provider = await startModelProvider({ script: reply });
  const bodies = [];
  const receiver = createServer(async (request, response) => {
    bodies.push(JSON.parse((await text(request)).replace(/\(Linux [^)]*\)/g, '(Linux)')));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const child = spawn(process.execPath, [program, QUESTION], {
    cwd: HERE,
    stdio: 'inherit',
    env: {
      PATH: process.env.PATH,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.address().port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop,service.version=1.4.0,deployment.environment.name=Production%20EU',
      OPENAI_BASE_URL: provider.url,
      OPENAI_API_KEY: 'none',
      MODEL: 'gpt-4o-mini',
      ...env,
    },
  });
  const [code] = await once(child, 'exit');
  receiver.close();
  await provider.close();
  if (code !== 0) throw new Error(`${program} failed`);
  return bodies;
}

const chosen = process.argv.slice(2);
for (const [name, emitter] of Object.entries(EMITTERS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (emitter.needsPackages && !existsSync(`${HERE}/node_modules`))
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: HERE, stdio: 'inherit' });
  const resourceSpans = (await exportsOf(emitter)).flatMap((body) => body.resourceSpans);
  writeFileSync(`${FIXTURES}${name}.json`, `${JSON.stringify({ resourceSpans }, null, 2)}\n`);
}
