import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunWorld } from '../run-world.js';

/** Each call and each read reaches any process of the traffic service. */
const RUNS = 12;

let world: RunWorld;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'traffic-'));
  world = await RunWorld.apart();
  await world.platform.startService('traffic', 'other', { DATA_DIR: folder });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await rm(folder, { recursive: true });
});

it('the transform of a session gets the last call of its run, whichever process has recorded it', async () => {
  const company = await world.company();
  await company.model();
  world.provider.answerWith(() => 'hello');
  const body = `const call = (content) => ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
  await Promise.all([call('a'), call('b')]);
  await call('c');`;
  const transform_session = `function transform_session({ requests, messages }) {
  return [requests.map((each) => each.messages[0].content).sort().join(''), messages.length];
}
`;
  const id = await company.workflow(body, { transform_session });
  for (let n = 0; n < RUNS; n++)
    expect(await company.run(id)).toMatchObject({
      ...{ status: 'COMPLETED', transform_error: null, transformed_session: ['abc', 2] },
    });
}, 180_000);
