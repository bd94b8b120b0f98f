import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptHostError, type ScriptResult } from '@signalbox/scripts';
import { timeScale } from '@signalbox/testing';
import { type PythonAttack, scriptOf } from '../corpus/python/attack.js';
import { FATAL_ATTACKS, PYTHON_ATTACKS } from '../corpus/python/index.js';
import { executionOf, RecordingHost, RunnerWorld } from '../world.js';

let world: RunnerWorld;
let listener: Server;
let directory: string;
let connections = 0;
const canary = `canary-${Math.random().toString(36).slice(2)}`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'canary-'));
  await writeFile(join(directory, 'canary'), canary);
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  world = await RunnerWorld.start({ CANARY: canary, SCRIPT_CPU_SECONDS: '30' });
}, 60_000);

afterAll(async () => {
  await world.stop();
  await new Promise((resolve) => listener.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

const FAMILIES = [...new Set(PYTHON_ATTACKS.map(({ family }) => family))];

describe('the corpus of hostile Python', () => {
  it('has at least 60 attacks', () => {
    expect(PYTHON_ATTACKS.length + FATAL_ATTACKS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(FAMILIES)(
    'escapes nowhere: %s',
    async (name) => {
      const attacks = PYTHON_ATTACKS.filter(({ family }) => family === name);
      const output = { reports: [], attacks: attacks.length };
      expect(await outcomeOf(attacks)).toMatchObject({ status: 'completed', output });
    },
    90_000,
  );

  // Generated scripts combine them: what one leaves behind is no escape of another.
  it.each([
    ['in order', PYTHON_ATTACKS],
    ['in reverse', PYTHON_ATTACKS.toReversed()],
  ])(
    'escapes nowhere in one script, %s',
    async (_, attacks) => {
      const output = { reports: [], attacks: attacks.length };
      expect(await outcomeOf(attacks)).toMatchObject({ status: 'completed', output });
    },
    90_000,
  );

  it('escapes nowhere through the interpreter', async () => {
    for (const each of FATAL_ATTACKS) {
      const result = await outcomeOf([each]);
      // The interpreter may be broken afterwards, and the process with it; the runner is not.
      if (result.status === 'completed') expect(result.output).toEqual({ reports: [], attacks: 1 });
      else expect(result).toMatchObject({ status: 'failed', error_code: 'sandbox' });
    }
  }, 120_000);
});

async function outcomeOf(attacks: readonly PythonAttack[]): Promise<ScriptResult> {
  const host = new RecordingHost((member) => {
    if (member === 'chat.completions.stream') return 1;
    if (member === 'chat.completions.read') return { chunks: [{ choices: [] }], done: false };
    throw new ScriptHostError(member === 'http.fetch' ? 'EgressDenied' : 'NotAllowedError', 'refused');
  });
  const { port } = listener.address() as AddressInfo;
  const file = join(directory, 'canary');
  const argument = { input: { a: 1 }, params: { port }, secret_names: [] };
  // The limit is time of a clock; that of the processor stays.
  const limits = { timeout_ms: Math.ceil(30_000 * timeScale()), memory_mb: 128 };
  const result = await world.execute(
    executionOf(scriptOf(attacks, file), { language: 'python', argument, limits }),
    host,
  );
  expect(JSON.stringify([result, host.logs, host.events, host.calls])).not.toContain(canary);
  expect(await readFile(file, 'utf8')).toBe(canary);
  expect(connections).toBe(0);
  return result;
}
