import { ScriptHostError } from '@signalbox/scripts';
import { executionOf, RecordingHost, RunnerWorld } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start();
}, 60_000);
afterAll(() => world.stop());

const resultOf = (script: string, argument: object = {}, host = new RecordingHost()) =>
  world.execute(executionOf(script, { language: 'python', argument }), host);

describe('a Python script', () => {
  it('gets plain values, calls the host and returns JSON', async () => {
    const host = new RecordingHost((member, args) => {
      if (member === 'secrets.get') return `value of ${String(args[0])}`;
      if (member === 'chat.completions.create') throw new ScriptHostError('ProviderError', 'overloaded', 529);
      return { member, args };
    });
    const script = [
      'import json, re',
      'from datetime import datetime',
      'def execute(ctx):',
      '    ctx.log("warn", {"a": 1})',
      '    print("printed", 2)',
      '    ctx.emit([3])',
      '    fetched = ctx.http.fetch("https://x", {"method": "POST"})',
      '    try:',
      '        ctx.chat.completions.create({"messages": []})',
      '    except Exception as error:',
      '        caught = [type(error).__name__, error.status, str(error)]',
      '    return {"input": ctx.input["n"] + 1, "messages": ctx.messages, "fetched": fetched, "caught": caught,',
      '            "secret": ctx.secrets.get("KEY"), "other": ctx.secrets.get("OTHER")}',
    ].join('\n');
    expect(await resultOf(script, { input: { n: 1 }, secret_names: ['KEY'] }, host)).toMatchObject({
      status: 'completed',
      output: {
        input: 2,
        messages: [],
        fetched: { member: 'http.fetch', args: ['https://x', { method: 'POST' }] },
        caught: ['ProviderError', 529, 'overloaded'],
        secret: 'value of KEY',
        other: null,
      },
    });
    expect([host.logs, host.events]).toEqual([['warn {"a": 1}', 'info printed 2'], [[3]]]);
  }, 90_000);

  it.each([
    ['an exception', 'def execute(ctx):\n    return 1 / 0', 'script_error', 'ZeroDivisionError: division by zero', 2],
    [
      'a hidden import',
      'def execute(ctx):\n    return __import__("o" + "s")',
      'script_error',
      'ImportError: a script cannot import os',
      2,
    ],
    ['an open import', 'import os\ndef execute(ctx):\n    return 1', 'script_invalid', 'a script cannot import os', 1],
  ])(
    'fails with %s',
    async (_, script, error_code, message, line) => {
      expect(await resultOf(script)).toMatchObject({ status: 'failed', error_code, message, line });
    },
    90_000,
  );

  it('keeps nothing between two runs of one company', async () => {
    const script =
      'import json\ndef execute(ctx):\n    seen = hasattr(json, "kept")\n    json.kept = 1\n    return seen';
    expect(await resultOf(script)).toMatchObject({ output: false });
    expect(await resultOf(script)).toMatchObject({ output: false });
  }, 90_000);

  it('is killed above its memory', async () => {
    const script = 'def execute(ctx):\n    held = []\n    while True:\n        held.append(bytearray(4_000_000))';
    const result = await resultOf(script);
    expect(result).toMatchObject({
      status: 'failed',
      error_code: 'sandbox',
      message: expect.stringMatching(/memory/i),
    });
  }, 90_000);

  it('is compiled with lines and columns, and not run', async () => {
    const compile = (script: string) => world.compile('python', script);
    expect(await compile('while True: pass\ndef execute(ctx): pass\ndef transform_session(s): pass')).toEqual({
      problems: [],
      has_transform_session: true,
    });
    expect((await compile('def execute(ctx):\n  return (')).problems).toEqual([
      { line: 2, column: 10, message: "'(' was never closed" },
    ]);
    expect((await compile('def execute(ctx): pass\nfrom os import path\ndef execute(ctx): pass')).problems).toEqual([
      { line: 2, column: 1, message: 'a script cannot import os' },
      { line: 3, column: 1, message: 'execute is declared twice' },
    ]);
  }, 90_000);

  it('scores by a function of a dictionary, which only a script that scores must have', async () => {
    const script =
      'def score(item):\n    print("got", item["output"])\n    return {"pass": item["output"] == "x", "reason": "r"}';
    const host = new RecordingHost();
    const execution = executionOf(script, { language: 'python', entry: 'score', argument: { output: 'x' } });
    expect(await world.execute(execution, host)).toMatchObject({ output: { pass: true, reason: 'r' } });
    expect(host.logs).toEqual(['info got x']);
    const compile = async (source: string, entry: 'execute' | 'score') =>
      (await world.compile('python', source, undefined, 1, entry)).problems.map(({ message }) => message);
    expect(await compile(script, 'score')).toEqual([]);
    expect(await compile('async def score(item): return True', 'score')).toEqual(['score must not be async']);
    expect(await compile('async def score(x): pass\ndef execute(ctx): pass', 'execute')).toEqual([]);
  }, 90_000);

  it('is offered where the interpreter is installed', async () => {
    expect(await world.runner.languages()).toEqual([
      { language: 'javascript', available: true, version: 'ES2023' },
      { language: 'typescript', available: true, version: 'ES2023' },
      { language: 'python', available: true, version: expect.stringMatching(/^3\.\d+\.\d+$/) },
    ]);
  });
});

describe('ctx.random', () => {
  it.each([
    ['javascript', 'function execute(ctx) { return Array.from({ length: 200 }, () => ctx.random()) }'],
    [
      'python',
      'import random\ndef execute(ctx):\n    random.seed(1)\n    return [ctx.random() for _ in range(200)] + [random.random()]',
    ],
  ] as const)(
    'draws numbers in %s that cannot be predicted',
    async (language, script) => {
      const draw = async (): Promise<number[]> => {
        const result = await world.execute(executionOf(script, { language }));
        return (result as { output: number[] }).output;
      };
      const [one, other] = [await draw(), await draw()];
      // What a seed of the script decides is the same in both.
      const seeded = language === 'python' ? 1 : 0;
      expect(new Set([...one, ...other]).size).toBe(400 + seeded);
      expect([...one, ...other].every((each) => each >= 0 && each < 1)).toBe(true);
      // 53 bits, as those of Math.random: few of them are a multiple of 2^-32.
      expect(one.filter((each) => Number.isInteger(each * 2 ** 32)).length).toBeLessThan(10);
    },
    90_000,
  );
});
