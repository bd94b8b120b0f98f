import { ScriptHostError } from '@signalbox/scripts';
import { executionOf, RecordingHost, RunnerWorld } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  // On some machines each new page of memory costs 20 µs.
  world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '10' });
}, 60_000);
afterAll(() => world.stop());

const limits = { timeout_ms: 80_000, memory_mb: 64 };
const resultOf = (script: string, argument: object = {}, host = new RecordingHost()) =>
  world.execute(executionOf(script, { language: 'python', argument, limits }), host);

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
      '        caught = [type(error).__name__, error.name, error.status, error.message, str(error)]',
      '    return {"input": ctx.input["n"] + 1, "messages": ctx.messages, "fetched": fetched, "caught": caught,',
      '            "secret": ctx.secrets.get("KEY"), "other": ctx.secrets.get("OTHER")}',
    ].join('\n');
    expect(await resultOf(script, { input: { n: 1 }, secret_names: ['KEY'] }, host)).toMatchObject({
      status: 'completed',
      output: {
        input: 2,
        messages: [],
        fetched: { member: 'http.fetch', args: ['https://x', { method: 'POST' }] },
        caught: ['ProviderError', 'ProviderError', 529, 'overloaded', 'overloaded'],
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

  it('fails when it sends what is no frame', async () => {
    const script =
      'def execute(ctx):\n    g = ctx.log.__globals__\n    g["os"].write(g["HOST"], b"\\xff" * 4)\n    return ctx.http.fetch("x")';
    expect(await resultOf(script)).toMatchObject({
      ...{ status: 'failed', error_code: 'sandbox' },
      message: 'the script crashed its process',
    });
  }, 90_000);

  it('is bounded by the runner when it sends frames past its interpreter', async () => {
    const sending = (head: string, body: string) =>
      resultOf(`def execute(ctx):\n    ctx.log.__globals__["send"](${head}, ${body})`);
    expect(await sending('{"kind": "failed", "error_code": "z" * 100_000, "cpu_ms": -1}', '"x" * 20_000_000')).toEqual({
      ...{ status: 'failed', error_code: 'sandbox', message: expect.stringMatching(/^x{16383}…$/) },
      ...{ cpu_ms: 0, wall_ms: expect.any(Number) },
    });
    const call = '{"kind": "call", "id": 1, "member": "http.fetch"}';
    expect(await sending(call, `'["' + "x" * 16_777_216 + '"]'`)).toMatchObject({
      ...{ status: 'failed', error_code: 'sandbox' },
      message: 'the arguments of a host call are longer than 16 MiB as JSON',
    });
  }, 90_000);

  it('runs on when it logs a long text, and sends text of any script as it is', async () => {
    const host = new RecordingHost((_, [text]) => text);
    const script = [
      'def execute(ctx):',
      '    print("x" * 70_000_000)',
      '    ctx.log("info", {"long": "y" * 20_000_000})',
      '    ctx.log("info", {"text": "жук"})',
      '    ctx.emit("ж" * 32_000)',
      '    half = ctx.http.fetch("\\ud800 \\" ж")',
      '    return {"half": half, "length": len(half), "long": "ж" * 1_000_000}',
    ].join('\n');
    const execution = executionOf(script, { language: 'python', limits: { ...limits, memory_mb: 256 } });
    expect(await world.execute(execution, host)).toMatchObject({
      status: 'completed',
      output: { half: '\ud800 " ж', length: 5, long: 'ж'.repeat(1_000_000) },
    });
    expect(host.logs.map((each) => each.slice(0, 30))).toEqual([
      `info ${'x'.repeat(25)}`,
      `info {"long": "${'y'.repeat(15)}`,
      'info {"text": "жук"}',
    ]);
    expect(Math.max(...host.logs.map(({ length }) => length))).toBe('info '.length + 8192);
    expect(host.events).toEqual(['ж'.repeat(32_000)]);
  }, 90_000);

  it('fails with a long exception, and gets one for each value that is not JSON', async () => {
    expect(await resultOf('def execute(ctx):\n    raise ValueError("x" * 50_000_000)')).toMatchObject({
      ...{ status: 'failed', error_code: 'script_error', line: 2 },
      message: expect.stringMatching(/^ValueError: x{1900,}…$/),
    });
    const script = [
      'import datetime',
      'def execute(ctx):',
      '    loop = []',
      '    loop.append(loop)',
      '    seen = []',
      '    for value in [float("nan"), float("inf"), datetime.date(2020, 1, 1), {1}, b"", loop, {(1,): 1}, 10 ** 5000]:',
      '        try:',
      '            ctx.emit(value)',
      '        except TypeError as error:',
      '            seen.append(str(error).startswith("an event is not JSON: "))',
      '    return seen',
    ].join('\n');
    expect(await resultOf(script)).toMatchObject({ output: new Array(8).fill(true) });
  }, 90_000);

  it('gets an exception for an integer that no float holds, and passes larger ones than JavaScript counts exactly', async () => {
    const script = [
      'def execute(ctx):',
      '    seen = []',
      '    def step():',
      '        return {"n": -10 ** 400}',
      '    for use in [lambda: ctx.emit([2 ** 1024]), lambda: ctx.http.fetch("x", {"body": 10 ** 309}), lambda: ctx.step("s", step)]:',
      '        try:',
      '            use()',
      '        except TypeError as error:',
      '            seen.append(str(error))',
      '    ctx.log("info", {"n": 10 ** 309})',
      '    ctx.emit({"text": "7" * 400, "n": [10 ** 20, 2 ** 1023]})',
      '    return {"seen": seen, "n": 10 ** 400 if ctx.input else -10 ** 20}',
    ].join('\n');
    const host = new RecordingHost((member) => (member === 'step.begin' ? { done: false } : null));
    const why = 'is not JSON: an integer is larger than a float can be';
    expect(await resultOf(script, {}, host)).toMatchObject({
      output: {
        seen: ['an event', 'an argument of http.fetch', 'the result of the step "s"'].map((each) => `${each} ${why}`),
        n: -1e20,
      },
    });
    expect([host.events, host.logs]).toEqual([
      [{ text: '7'.repeat(400), n: [1e20, 2 ** 1023] }],
      [`info {"n": 1${'0'.repeat(309)}}`],
    ]);
    expect(await resultOf(script, { input: 1 })).toMatchObject({
      ...{ status: 'failed', error_code: 'script_error' },
      message: `TypeError: the output of the script ${why}`,
    });
  }, 90_000);

  it('has data classes whose annotations are texts', async () => {
    const script = [
      'from __future__ import annotations',
      'import dataclasses, typing',
      '@dataclasses.dataclass',
      'class Order:',
      '    number: int',
      '    lines: list[Line]',
      '@dataclasses.dataclass',
      'class Line:',
      '    text: str',
      'def execute(ctx):',
      '    known = [each.__name__ for each in typing.get_type_hints(Line).values()]',
      '    return [dataclasses.asdict(Order(7, [Line("a")])), known]',
    ].join('\n');
    expect(await resultOf(script)).toMatchObject({ output: [{ number: 7, lines: [{ text: 'a' }] }, ['str']] });
  }, 90_000);

  it('sleeps without processor time', async () => {
    const script = [
      'import time',
      'def execute(ctx):',
      '    began = time.monotonic()',
      '    time.sleep(3)',
      '    time.sleep(0)',
      '    try:',
      '        time.sleep(-1)',
      '    except ValueError as error:',
      '        return [time.monotonic() - began > 2.9, str(error)]',
    ].join('\n');
    const result = await resultOf(script);
    expect(result).toMatchObject({ output: [true, 'sleep length must be non-negative'] });
    expect((result as { cpu_ms: number }).cpu_ms).toBeLessThan(2_000);
  }, 90_000);

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
    const [long] = (await compile(`import ${'a'.repeat(3000)}\ndef execute(ctx): pass`)).problems;
    expect(long?.message).toMatch(/^a script cannot import a{1900,}…$/);
    expect(long?.message).toHaveLength(2000);
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

describe('ctx.emit', () => {
  it.each([
    [
      'javascript',
      `function execute(ctx) {
        ctx.emit('x'.repeat(65_534));
        try { ctx.emit('ж'.repeat(32_768)) } catch (error) { return [error.name, error.message] }
      }`,
      'RangeError',
    ],
    [
      'python',
      `def execute(ctx):
    ctx.emit("x" * 65_534)
    try:
        ctx.emit("ж" * 32_768)
    except Exception as error:
        return [type(error).__name__, str(error)]`,
      'ValueError',
    ],
  ] as const)(
    'refuses in %s an event of more than 64 KiB in UTF-8',
    async (language, script, name) => {
      const host = new RecordingHost();
      const result = await world.execute(executionOf(script, { language }), host);
      expect(result).toMatchObject({ output: [name, 'an event is longer than 65536 bytes as JSON'] });
      expect(host.events).toEqual(['x'.repeat(65_534)]);
    },
    90_000,
  );
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
