import type { Application, Execution, Signalbox } from '@signalbox/sdk';

const REF = 'delivery-date-demo';
const SCRIPT = `const DAY_MS = 86_400_000;

function execute(ctx) {
  const { ordered_on, express = false } = ctx.input;
  const days = express ? 1 : 3;
  ctx.log('info', { days });
  const date = new Date(Date.parse(ordered_on) + days * DAY_MS);
  return { delivered_on: date.toISOString().slice(0, 10) };
}
`;
const INPUT = {
  type: 'object',
  additionalProperties: false,
  required: ['ordered_on'],
  properties: { ordered_on: { type: 'string' }, express: { type: 'boolean' } },
};

async function openWorkflow(api: Signalbox, application_id: number): Promise<number> {
  const known = (await api.workflows.list({ search: REF }).all()).find(
    ({ workflow_ref_name }) => workflow_ref_name === REF,
  );
  if (known) return known.id;
  const { id: workflow_id } = await api.workflows.create({
    workflow_ref_name: REF,
    workflow_name: 'Delivery date (demo)',
    description: 'When an order arrives',
    application_id,
    script: SCRIPT,
    input_schema: INPUT,
    timeout_seconds: 10,
  });
  await api.workflows.publishVersion({ workflow_id });
  return workflow_id;
}

/** One run succeeds, one fails on its input. */
export async function runWorkflow(api: Signalbox, home: Application): Promise<[Execution, Execution]> {
  const workflow_id = await openWorkflow(api, home.id);
  const run = (input: object): Promise<Execution> => api.workflows.execute({ workflow_id, mode: 'sync', input });
  return [await run({ ordered_on: '2026-11-23', express: true }), await run({ ordered_on: 'soon' })];
}
