import { client, json, target } from './fixture.js';

/** A list of records, the newest first, that calls may change. */
class ScriptedList {
  ids: number[];
  readonly loads: string[] = [];

  constructor(count: number, record: (id: number) => object = (id) => ({ id })) {
    this.ids = Array.from({ length: count }, (_, at) => count - at);
    target.answerWith(({ path }) => {
      const query = new URL(path, target.url).searchParams;
      const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 25)];
      this.loads.push(`${offset}+${limit}`);
      const data = this.ids.slice(offset, offset + limit).map(record);
      return json(200, { data, pagination: { total: this.ids.length, offset, limit } });
    });
  }

  remove(...ids: number[]): void {
    this.ids = this.ids.filter((id) => !ids.includes(id));
  }
}

describe('a list', () => {
  const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

  it('is one page when awaited and every page when gone through, without records that moved', async () => {
    const list = new ScriptedList(5);
    const page = await client.agents.list({ limit: 2 });
    expect(page).toEqual({ data: [{ id: 5 }, { id: 4 }], pagination: { total: 5, offset: 0, limit: 2 } });
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit: 2 })) {
      // A record that is added moves all others by one.
      if (id === 5) list.ids.unshift(6);
      ids.push(id);
    }
    expect(ids).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([1, 2, 3, 10, 100])('returns every record to a loop that deletes each, in pages of %i', async (limit) => {
    const list = new ScriptedList(23);
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit })) {
      ids.push(id);
      list.remove(id);
    }
    expect(ids).toEqual(range(23, 1));
  });

  it('returns every record that stays, whatever is deleted and added meanwhile', async () => {
    const list = new ScriptedList(40);
    const ids: number[] = [];
    for await (const { id } of client.agents.list({ limit: 4 })) {
      ids.push(id);
      if (id === 37) list.remove(...range(40, 30));
      if (id === 25) list.remove(22, 25, 27);
      if (id === 20) list.ids.unshift(43, 42, 41);
      if (id === 12) list.remove(...range(29, 13));
    }
    expect(ids).toEqual(expect.arrayContaining([...range(29, 23), ...range(21, 1)]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns every record of a session, and every session once', async () => {
    const all = range(7, 1).map((id) => `${id}`);
    new ScriptedList(7, (id) => ({ request_id: `${id}`, session_id: 'a' }));
    const faults = await client.reports.listFaults({ limit: 2 }).all();
    expect(faults.map(({ request_id }) => request_id)).toEqual(all);
    let loaded = 0;
    new ScriptedList(7, (id) => ({ session_id: `${id}`, cost: loaded++ }));
    const sessions = await client.sessions.list({ limit: 2 }).all();
    expect(sessions.map(({ session_id }) => session_id)).toEqual(all);
  });

  it.each<[string, (id: number) => string]>([
    ['equal', () => 'tick'],
    ['alternating', (id) => ['tick', 'tock'][id % 2] ?? ''],
  ])('returns every one of %s records without an id', async (_what, message) => {
    const list = new ScriptedList(50, (id) => ({ message: message(id) }));
    const logs = client.workflows.listRunLogs({ run_id: 'a', limit: 20 });
    expect((await logs.all()).map((each) => each.message)).toEqual(range(50, 1).map(message));
    expect(list.loads).toEqual(['0+20', '19+21', '39+21']);
  });

  it('returns records without an id once in a list that others are added to and deleted from', async () => {
    const list = new ScriptedList(12, (id) => ({ message: `${id}` }));
    const messages: string[] = [];
    for await (const { message } of client.workflows.listRunLogs({ run_id: 'a', limit: 4 })) {
      messages.push(message);
      if (message === '11') list.ids.unshift(14, 13);
      if (message === '7') list.remove(14, 13, 12, 11);
    }
    expect(messages).toEqual(range(12, 1).map(String));
  });

  it('begins at the asked offset and reads a list that does not change once', async () => {
    const list = new ScriptedList(10);
    const all = await client.agents.list({ limit: 4, offset: 3 }).all();
    expect(all.map(({ id }) => id)).toEqual(range(7, 1));
    expect(list.loads).toEqual(['3+4', '6+5']);
  });
});
