import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workflows } from '@signalbox/contracts';
import { ECHO } from '../world.js';
import { platform, world } from './fixture.js';

const api = workflows.endpoints;
const BROKEN = 'async function execute(ctx) {\n  return ctx.;\n}\n';
const validate = (input: object) =>
  platform.bus.call(api.validateScript, { script: ECHO, language: 'javascript', ...input }, world.caller());

describe('scripts', () => {
  it('are stored in the object store under the hash of their content, again when they are sent again', async () => {
    const { id, script_sha256 } = await world.workflow();
    const path = (hash: string) =>
      join(platform.servers.dir, 'objects', 'workflows', String(world.companyId), hash.slice(0, 2), hash);
    expect(await readFile(path(script_sha256), 'utf8')).toBe(ECHO);
    const other = `${ECHO}// changed`;
    const changed = await world.change(id, { script: other });
    expect(changed.script_sha256).not.toBe(script_sha256);
    expect(await readFile(path(changed.script_sha256), 'utf8')).toBe(other);
    expect((await world.get(id, true)).script).toBe(other);
  });

  it('that cannot run are refused with line and message, and nothing is stored', async () => {
    const refusal = {
      status: 422,
      message: expect.stringMatching(/^the script cannot run: line 2, column \d+: /),
      extras: { details: [{ field: 'script', message: expect.stringMatching(/^line 2, column \d+: /) }] },
    };
    await expect(world.workflow({ script: BROKEN })).rejects.toMatchObject(refusal);
    const { id } = await world.workflow();
    const before = await world.get(id, true);
    await expect(world.change(id, { script: BROKEN })).rejects.toMatchObject(refusal);
    await expect(world.change(id, { script: 'const x = 1;' })).rejects.toMatchObject({ status: 422 });
    await expect(world.change(id, { script: '' })).rejects.toMatchObject({ status: 422 });
    expect(await world.get(id, true)).toEqual(before);
  });

  it('need a new text when their language changes', async () => {
    const { id } = await world.workflow();
    await expect(world.change(id, { language: 'typescript' })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'script' }] },
    });
    const script = 'export async function execute(ctx: { input: string }): Promise<string> { return ctx.input; }';
    expect(await world.change(id, { language: 'typescript', script })).toMatchObject({ language: 'typescript' });
  });

  it('may contain a transform or have it in a separate field, which an empty text removes', async () => {
    const transform_session = 'function transform_session(session) {\n  return session.session_id;\n}\n';
    const own = await world.workflow({ script: ECHO + transform_session });
    expect(own).toMatchObject({ transform_enabled: true, transform_session: null });
    const { id } = await world.workflow();
    expect(await world.change(id, { transform_session })).toMatchObject({ transform_enabled: true, transform_session });
    expect(await world.change(id, { transform_session: '' })).toMatchObject({
      transform_enabled: false,
      transform_session: null,
    });
    await expect(world.change(id, { transform_session: 'function transform_session( {' })).rejects.toMatchObject({
      status: 422,
    });
  });

  it('are validated without being run or stored', async () => {
    expect(await validate({})).toEqual({ valid: true, errors: [], has_transform_session: false });
    const broken = await validate({ script: BROKEN, input_schema: { type: 'nothing' } });
    expect(broken).toMatchObject({ valid: false, has_transform_session: false });
    expect(broken.errors).toEqual([
      { line: 2, column: expect.any(Number), message: expect.any(String) },
      { message: expect.stringMatching(/^input_schema: /) },
    ]);
    expect(await validate({ script: ' ' })).toMatchObject({
      valid: false,
      errors: [{ message: 'the script is empty' }],
    });
  });

  it('have a beginning in every language that is available, which compiles', async () => {
    const languages = await platform.bus.call(api.listLanguages, {}, world.caller());
    expect(languages.map(({ language }) => language)).toEqual(['javascript', 'typescript', 'python']);
    for (const { language, available } of languages) {
      if (!available) continue;
      const { script } = await platform.bus.call(api.getDefaultScript, { language }, world.caller());
      expect(await validate({ language, script })).toEqual({ valid: true, errors: [], has_transform_session: false });
    }
  });

  it('are refused with schemas that are not valid', async () => {
    for (const name of ['input_schema', 'output_schema'])
      await expect(world.workflow({ [name]: { type: 'nothing' } })).rejects.toMatchObject({
        status: 422,
        extras: { details: [{ field: name }] },
      });
  });
});
