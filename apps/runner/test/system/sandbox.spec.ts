import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptHostError, type ScriptResult } from '@signalbox/scripts';
import { timeScale } from '@signalbox/testing';
import { type Canaries, scriptOf } from '../corpus/javascript/attack.js';
import { ATTACKS } from '../corpus/javascript/index.js';
import { executionOf, RecordingHost, RunnerWorld } from '../world.js';

const COMPANIES = [1, 2];
/** Scripts in flight; the runner executes four of them at once. */
const AT_ONCE = 6;

let world: RunnerWorld;
let listener: Server;
let directory: string;
let connections = 0;
let canaries: Canaries;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'canary-'));
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  canaries = { value: `canary-${Math.random().toString(36).slice(2)}`, file: join(directory, 'canary'), port };
  await writeFile(canaries.file, canaries.value);
  world = await RunnerWorld.start({ CANARY: canaries.value });
}, 60_000);

afterAll(async () => {
  await world.stop();
  await new Promise((resolve) => listener.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

const PROTOTYPES = [Object, Array, Function, String, Promise, Error].map(({ prototype }) => prototype as object);
const shapeOfPrototypes = (): string => JSON.stringify(PROTOTYPES.map((each) => Reflect.ownKeys(each).map(String)));

/** A model that streams one chunk and answers nothing else. */
function modelReply(member: string): unknown {
  if (member === 'chat.completions.read') return { chunks: [{ choices: [{ delta: { content: 'x' } }] }], done: true };
  if (member === 'chat.completions.create') throw new ScriptHostError('ProviderError', 'refused');
  return 1;
}

/** A host without any other permission; it assigns the keys of what it is given, as careless code does. */
class ForbiddingHost extends RecordingHost {
  constructor() {
    super((member, args) => {
      for (const each of args) Object.assign({}, each);
      if (member.startsWith('step.')) return { done: false };
      if (member === 'artifacts.get') return null;
      if (member.startsWith('chat.completions.')) return modelReply(member);
      throw new ScriptHostError(member === 'http.fetch' ? 'EgressDenied' : 'NotAllowedError', 'refused');
    });
  }

  override emit(event: unknown): void {
    Object.assign({}, event);
    super.emit(event);
  }
}

interface Observed {
  name: string;
  status: string;
  text: string;
}

/** A script that computes until its processor time is over costs a second each time. */
const isEndedByItsLimit = (result: ScriptResult): boolean =>
  result.status === 'timed_out' || ('message' in result && /processor time/.test(result.message));

async function attack(index: number): Promise<Observed[]> {
  const each = ATTACKS[index]!;
  const observed: Observed[] = [];
  for (const company_id of COMPANIES) {
    const host = new ForbiddingHost();
    const execution = executionOf(scriptOf(each, canaries), {
      company_id,
      argument: { input: `mark of ${company_id}`, params: { port: canaries.port }, secret_names: ['KEY'] },
      limits: { timeout_ms: Math.round(5000 * timeScale()), memory_mb: 32 },
    });
    const result = await world.execute(execution, host);
    const text = JSON.stringify([result, host.logs, host.events, host.calls]);
    observed.push({ name: `${each.family}: ${each.name}`, status: result.status, text });
    // Its process was ended, and processes serve one company: nothing of it is left for the other one.
    if (isEndedByItsLimit(result)) break;
  }
  return observed;
}

describe('the corpus of hostile scripts', () => {
  it('has at least 200 attacks, each under one name', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
    expect(new Set(ATTACKS.map(({ family, name }) => `${family}: ${name}`)).size).toBe(ATTACKS.length);
  });

  it('escapes nowhere, in two companies', async () => {
    const before = shapeOfPrototypes();
    const observed: Observed[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < ATTACKS.length; index = next++) observed.push(...(await attack(index)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const escaped = observed.filter(({ text }) => text.includes('ESCAPED') || text.includes(canaries.value));
    expect(escaped).toEqual([]);
    // Bad scripts would prove nothing: each was executed, and none is lost.
    expect(observed.filter(({ status, text }) => status === 'lost' || text.includes('script_invalid'))).toEqual([]);
    expect(observed.filter(({ status }) => status === 'completed').length).toBeGreaterThan(ATTACKS.length * 1.5);
    expect(connections).toBe(0);
    expect(shapeOfPrototypes()).toBe(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }, 900_000);

  it('escapes from the contexts of node:vm, so the attacks and their alarms are real', () => {
    const scripts = ATTACKS.filter(({ family }) => family === 'A1 constructors').map((each) =>
      scriptOf(each, canaries),
    );
    const { stdout } = spawnSync(process.execPath, ['--no-warnings', '-e', IN_NODE_VM], {
      input: JSON.stringify(scripts),
      env: { CANARY: canaries.value },
      encoding: 'utf8',
      timeout: 30_000,
    });
    const outputs = JSON.parse(stdout) as string[];
    expect(outputs).toHaveLength(scripts.length);
    expect(outputs.filter((text) => text.includes(canaries.value)).length).toBeGreaterThan(10);
  }, 60_000);
});

/** Runs each script of its input in a context of node:vm, with functions of the host as `ctx`. */
const IN_NODE_VM = `
const vm = require('node:vm');
const scripts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const call = async () => null;
const run = async (script) => {
  const ctx = { input: 1, messages: [], run: {}, params: {}, log() {}, emit() {}, step: (name, work) => work(), secrets: { get: () => null },
    chat: { completions: { create: call } }, agents: { invoke: call }, workflows: { execute: call }, http: { fetch: call }, artifacts: { get: call } };
  try { return JSON.stringify(await vm.runInNewContext(script + ';execute(ctx)', { ctx }, { timeout: 1000 })) } catch (error) { return String(error) }
};
Promise.all(scripts.map(run)).then((outputs) => process.stdout.write(JSON.stringify(outputs), () => process.exit()));
`;
