import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { executionOf, RecordingHost } from '../world.js';
import { world } from './fixture.js';

/** The priorities, as `nice` counts, of all processes that a process has started, directly or not. */
function prioritiesBelow(root: number): number[] {
  const stats = readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat ? [{ pid: Number(pid), parent: Number(fields[1]), priority: Number(fields[16]) }] : [];
    } catch {
      return [];
    }
  });
  const below = (parent: number): number[] =>
    stats.filter((each) => each.parent === parent).flatMap(({ pid, priority }) => [priority, ...below(pid)]);
  return below(root);
}

describe('compiling', () => {
  it.each([
    ['function execute(ctx) {}', [], false],
    ['function execute() {}', [], false],
    ['function execute() {;}', [], false],
    ['const transform_session = (s) => s; async function execute() {}', [], true],
    ['let x = 1', [{ message: 'the script has no top-level function execute' }], false],
    [
      "import fs from 'fs'; function execute() {}",
      [{ line: 1, column: 1, message: 'a script cannot import anything' }],
      false,
    ],
    [
      'function execute() {\n return import("x") }',
      [{ line: 2, column: 9, message: 'a script cannot import anything' }],
      false,
    ],
    [
      'function execute() {}\nfunction execute() {}',
      [{ line: 2, column: 10, message: "Identifier 'execute' has already been declared" }],
      false,
    ],
    ['function execute() {\n  let x = ;\n}', [{ line: 2, column: 11, message: 'Unexpected token' }], false],
    [
      'const x = 1;\nexport async function* execute() {}\nfunction* other() {}',
      [{ line: 2, column: 8, message: 'execute must not be a generator' }],
      false,
    ],
    [
      'const transform_session = function* () {}, execute = async () => {};',
      [{ line: 1, column: 7, message: 'transform_session must not be a generator' }],
      true,
    ],
  ])('%s', async (script, problems, has_transform_session) => {
    expect(await world.compile('javascript', script)).toEqual({ problems, has_transform_session });
  });

  it('runs nothing, and checks the separate script of transform_session', async () => {
    const endless = 'for (;;); function execute() {}';
    const compiled = await world.compile('javascript', endless, 'function transform_session( {');
    expect(compiled.problems).toEqual([{ line: 1, column: 30, message: 'transform_session: Unexpected token' }]);
    expect(await world.compile('javascript', endless, 'function transform_session() {}')).toEqual({
      problems: [],
      has_transform_session: true,
    });
  });

  it('keeps its priority however long it takes: others have the processor time that they need', async () => {
    const long = Array.from({ length: 4000 }, (_, at) => `function f${at}(a: number) { return a + ${at}; }`);
    const compiled = await world.compile('typescript', `${long.join('\n')}\nfunction execute() {}`);
    expect(compiled.problems).toEqual([]);
    const own = getPriority();
    const priorities = prioritiesBelow(world.process.pid);
    expect([priorities.length > 0, priorities.filter((priority) => priority > own)]).toEqual([true, []]);
  });

  it('takes TypeScript after a script that is nested too deeply for its compiler', async () => {
    const nested = `let a: number = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; function execute() {}`;
    for (let n = 0; n < 2; n++) {
      expect((await world.compile('typescript', nested)).problems).toHaveLength(1);
      expect((await world.compile('typescript', 'function execute() {}')).problems).toEqual([]);
    }
  }, 60_000);

  it('reports lines and columns of TypeScript as written', async () => {
    const compiled = await world.compile(
      'typescript',
      'type A = {\n b: number }\nfunction execute(x: A) { return  }; enum E {}',
    );
    expect(compiled.problems).toEqual([{ line: 3, column: 37, message: 'TypeScript enum is not supported' }]);
  });
});

describe('a function that scores', () => {
  const score = async (script: string, argument: object = { output: 'x' }, host = new RecordingHost()) =>
    world.execute(executionOf(script, { entry: 'score', argument }), host);

  it('gets its item alone, and prints', async () => {
    const host = new RecordingHost();
    const script = `const limit = 2;
      export function score(item) {
        console.log('the output', { of: item.output }, 1n, undefined);
        console.error(limit);
        return { keys: Object.keys(item), host: typeof ctx, more: typeof item.log, pass: true };
      }`;
    const output = { keys: ['output', 'n'], host: 'undefined', more: 'undefined', pass: true };
    expect(await score(script, { output: 'x', n: 1 }, host)).toMatchObject({ status: 'completed', output });
    expect(host.logs).toEqual(['info the output {"of":"x"} 1 null', 'error 2']);
    expect(host.calls).toEqual([]);
  });

  it('finds nothing of the item before', async () => {
    const script =
      'let seen = 0; function score() { globalThis.kept = (globalThis.kept ?? 0) + 1; return [++seen, kept]; }';
    for (let n = 0; n < 3; n++) expect(await score(script)).toMatchObject({ output: [1, 1] });
  });

  it('is required of a script that scores, and of no other', async () => {
    const compile = async (script: string, entry: 'execute' | 'score') =>
      (await world.compile('javascript', script, undefined, 1, entry)).problems.map(({ message }) => message);
    expect(await compile('function score() {}', 'score')).toEqual([]);
    expect(await compile('function execute() {}', 'score')).toEqual(['the script has no top-level function score']);
    expect(await compile('async function execute() {}\nlet score;', 'execute')).toEqual([]);
  });
});
