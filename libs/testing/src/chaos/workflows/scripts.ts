import { workflows } from '@signalbox/contracts';
import type { ScenarioContext } from '../scenario-run.js';

const parent = (url: string): string => `async function execute(ctx) {
  const { n } = ctx.input;
  const token = ctx.secrets.get('TOKEN') ?? 'none';
  const first = await ctx.step('first', async () => {
    const { json } = await ctx.http.fetch('${url}/first', { method: 'POST', headers: { 'x-token': token }, body: { n } });
    return json.n;
  });
  const children = await Promise.all([1, 2].map((part) => ctx.workflows.execute('chaos-child', { n, part })));
  const values = await ctx.step('values', () => children.map(({ value }) => value));
  ctx.log('info', 'sums up ' + n);
  return { n: first, values, leaf: children[1].leaf };
}
`;

const child = (model: string): string => `async function execute(ctx) {
  const { n, part } = ctx.input;
  const messages = [{ role: 'user', content: n + '/' + part }];
  const completion = await ctx.chat.completions.create({ model: '${model}', messages });
  if (completion.choices[0].message.content !== 're: ' + n + '/' + part) throw new Error('this is the reply to another call');
  const leaf = part === 2 ? await ctx.workflows.execute('chaos-leaf', { n }) : null;
  return { value: 10 * n + part, leaf };
}
`;

const leaf = (url: string): string => `async function execute(ctx) {
  const { n } = ctx.input;
  return ctx.step('leaf', async () => (await ctx.http.fetch('${url}/leaf', { method: 'POST', body: { n } })).json.n);
}
`;

export async function makeWorkflows({ fixtures, target, modelName }: ScenarioContext): Promise<unknown> {
  const create = async (workflow_ref_name: string, script: string, nested: string[] = []): Promise<unknown> => {
    const body = { workflow_ref_name, script, allow_inproc_nesting: true, inproc_nested_refs: nested };
    return (await fixtures.call(workflows.endpoints.createWorkflow, body)).id;
  };
  await create('chaos-leaf', leaf(target.url));
  await create('chaos-child', child(modelName), ['chaos-leaf']);
  return create('chaos-parent', parent(target.url), ['chaos-child']);
}
