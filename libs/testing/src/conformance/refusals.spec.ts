import { apiKeys } from '@signalbox/contracts';
import type { RawHttpReply } from './raw-client.js';
import { refusalProblems } from './refusals.js';

const endpoint = apiKeys.endpoints.createApiKey;

const reply = (status: number, body: object): RawHttpReply => ({
  status,
  text: JSON.stringify(body),
  contentType: 'application/json',
  head: '',
});

const refusal = (fields: string[]): RawHttpReply =>
  reply(400, {
    error: { status: 400, message: 'is not valid', details: fields.map((field) => ({ field, message: 'is bad' })) },
  });

/** Names every bad field except those it takes. */
function serverThatTakes(...taken: string[]) {
  const requests: string[][] = [];
  const send = (values: Record<string, unknown>): Promise<RawHttpReply> => {
    requests.push(Object.keys(values));
    const bad = Object.keys(values).filter((field) => !taken.includes(field));
    return Promise.resolve(bad.length > 0 ? refusal(bad) : reply(200, { data: {} }));
  };
  return { requests, send };
}

describe('problems of refusals', () => {
  it('are none when each bad field is named, which takes few requests', async () => {
    const { requests, send } = serverThatTakes();
    expect(await refusalProblems(endpoint, send)).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(requests.flat()).toEqual(expect.arrayContaining(['name', 'scopes', 'nobody_knows_me', 'company_id']));
  });

  it.each(['name', 'company_id'])('show a value of %s that is taken among others that are refused', async (field) => {
    const problems = await refusalProblems(endpoint, serverThatTakes(field).send);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(new RegExp(`^${field} = .*: status 200 instead of 400`));
  });

  it('show a field that is refused and never named', async () => {
    const send = (values: Record<string, unknown>): Promise<RawHttpReply> =>
      Promise.resolve(refusal(Object.keys(values).map((field) => (field === 'scopes' ? 'something' : field))));
    const problems = await refusalProblems(endpoint, send);
    expect(new Set(problems.map((problem) => problem.replace(/ = .*:/, ' = …:')))).toEqual(
      new Set(['scopes = …: details do not name it']),
    );
  });

  it('are none when a check that comes first names nothing among others, but each field alone', async () => {
    const send = (values: Record<string, unknown>): Promise<RawHttpReply> =>
      Promise.resolve(refusal(Object.keys(values).length > 1 ? [] : Object.keys(values)));
    expect(await refusalProblems(endpoint, send)).toEqual([]);
  });
});
