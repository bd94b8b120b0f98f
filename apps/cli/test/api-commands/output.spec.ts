import { parse } from 'yaml';
import { json, newHelper, signalbox } from './fixture.js';

describe('the output of commands', () => {
  const tags = ['output, "1"', 'output 2', 'output 3'];
  let agentId: number;
  beforeAll(async () => {
    agentId = await newHelper();
    for (const tag of tags) await json(['tags', 'create', tag]);
  });
  const list = ['tags', 'list', '--search', 'output', '--sort', 'id', '--limit', '2'];

  it('is YAML of one record and of a page', async () => {
    const [{ stdout: page }, expected] = [await signalbox([...list, '-o', 'yaml']), await json(list)];
    expect(parse(page)).toEqual(expected);
    const { stdout: record } = await signalbox(['agents', 'get', String(agentId), '--output=yaml']);
    expect(parse(record)).toEqual(await json(['agents', 'get', String(agentId)]));
  });

  it('is CSV of a page and of all pages, below the names of the fields once', async () => {
    const columns = ['--columns', 'tag_name,description'];
    const page = await signalbox([...list, '-o', 'csv', ...columns]);
    expect([page.stdout, page.stderr]).toEqual([
      'tag_name,description\r\n"output, ""1""",\r\noutput 2,\r\n',
      '1 to 2 of 3; --offset 2 shows the next\n',
    ]);
    const all = (await signalbox([...list, '-o', 'csv', '--all'])).stdout.split('\r\n');
    expect(all[0]?.split(',')).toContain('tag_name');
    expect(all).toHaveLength(tags.length + 2);
  });

  it('may be asked for by known words only', async () => {
    const refused = await signalbox([...list, '-o', 'xml']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of table, json, yaml, csv') as string,
    });
  });

  it('is the version of the command line', async () => {
    expect((await signalbox(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
