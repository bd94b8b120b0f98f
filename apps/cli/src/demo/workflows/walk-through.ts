import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { WorkflowRun } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { whileAllowed } from '../permission.js';
import { type Example, type ExampleName, readExamples, uploadExample } from './examples.js';
import { type OfficeService, startOfficeService } from './office-service.js';
import { outcomeLines, runTimelineLines } from './run-report.js';

interface Given {
  input?: Record<string, unknown>;
  params?: Record<string, unknown>;
  secrets?: Record<string, string>;
}

/** Served by the demo, so that it needs no network. */
const givenBy = ({ url, pages }: OfficeService, token: string): Partial<Record<ExampleName, Given>> => ({
  'research-digest': { input: { question: 'How long does a filter last, and where does it go?', urls: pages } },
  'refund-approval': { params: { approval_url: `${url}/approvals` }, secrets: { APPROVAL_TOKEN: token } },
});

async function runExample({ api, step, progress }: DemoContext, example: Example, given: Given): Promise<WorkflowRun> {
  const { definition, name } = example;
  const { workflow, version } = await step(
    `Upload examples/${name}, a workflow in ${definition.language}`,
    () => uploadExample(api, example),
    (uploaded) =>
      `workflow ${uploaded.workflow.id} ${uploaded.created ? 'is new' : 'was found'}, version ${uploaded.version}`,
  );
  const { run_id = '' } = await step(
    `Execute version ${version}`,
    () =>
      api.workflows.execute({
        workflow_id: workflow.id,
        version,
        mode: 'async',
        input: example.input,
        ...given,
      }),
    (accepted) => `run ${accepted.run_id} is ${accepted.status}`,
  );
  for await (const { type } of api.workflows.streamRun({ run_id })) progress.step(`   ${type}`);
  const run = await api.workflows.getRun({ run_id, wait_seconds: 10 });
  const artifacts = await api.workflows.listRunArtifacts({ run_id }).all();
  const timeline = { run_id, include_children: true, limit: 100 };
  const events = await api.workflows.listRunTimeline(timeline).all();
  for (const line of [...outcomeLines(run, artifacts), ...runTimelineLines(run, events)]) progress.log(line);
  return run;
}

function conclude({ baseUrl, keyFile, progress }: DemoContext, runs: WorkflowRun[]): void {
  const url = `${baseUrl}/workflow-runs`;
  const lines = [
    '',
    '   (the built-in model only echoes; name a model of a real provider in "params" for real replies)',
    '',
    `   All endpoints   ${new URL(baseUrl).origin}/docs`,
    `   The workflows   ${baseUrl}/workflows`,
    ...runs.map(({ id }) => `   This run        ${url}/${id}`),
    `   To look at one  curl -s -H "X-Service-Api-Key: $(cat '${keyFile}')" ${url}/${runs.at(-1)?.id}`,
  ];
  for (const line of lines) progress.log(line);
}

/** A service that has run workflows of the company may have cached its permissions for five seconds. */
async function permissionIsKnown({ api, step }: DemoContext): Promise<void> {
  const { pagination } = await api.workflows.list({ limit: 1 });
  if (pagination.total === 0) return;
  await step(
    'Wait until every service knows that this system may be called',
    () => setTimeout(5000),
    () => 'five seconds',
  );
}

export async function runWorkflowExamples(context: DemoContext): Promise<boolean> {
  const { api, natsUrl, step } = context;
  const { company } = await step(
    'The company of the key',
    () => api.apiKeys.getCurrent(),
    (key) => `the company "${key.company.name}"`,
  );
  const token = randomBytes(12).toString('hex');
  const service = await step(
    'A system with pages and approvals, run by this demo',
    () => startOfficeService(token),
    ({ url }) => url,
  );
  try {
    const given = givenBy(service, token);
    const runs = await whileAllowed(natsUrl, company.id, service.place, async () => {
      const done: WorkflowRun[] = [];
      await permissionIsKnown(context);
      for (const example of await readExamples())
        done.push(await runExample(context, example, given[example.name] ?? {}));
      return done;
    });
    conclude(context, runs);
    return runs.every(({ status }) => status === 'COMPLETED') && service.approvals() === 1;
  } finally {
    await service.close();
  }
}
