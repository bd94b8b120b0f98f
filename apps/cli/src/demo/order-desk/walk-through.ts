import type { Sentinel, Signalbox, Task } from '@signalbox/sdk';
import { listByCommand } from '../command-line.js';
import type { DemoContext } from '../context.js';
import { whileAllowed } from '../permission.js';
import { showElsewhere } from './elsewhere.js';
import type { GoldenSet } from './golden-set.js';
import { invoke } from './invocation.js';
import { type OrderService, startOrderService } from './order-service.js';
import { type PreparedDesk, prepareAgent } from './preparation.js';
import { askGuarded, type GuardedAnswer, openSentinel } from './sentinel.js';
import { showEveryPage } from './showcase.js';
import { guardRelease, importIntoSet } from './test-steps.js';
import { verdictsOf } from './watching.js';
import { whileReported } from './webhook.js';

/** The last part of the URL is the credential. */
const callBack = (api: Signalbox, url: string, payload: object): Promise<unknown> =>
  api.agents.answerHook({ hook_key: new URL(url).pathname.split('/').at(-1) ?? '', payload });

const QUESTIONS = [
  'Where is my order?',
  'I want to return my order.',
  'Please ask the courier to come on another day.',
];

function conclude(
  { baseUrl, keyFile, progress }: DemoContext,
  tasks: Task[],
  monitorId: number,
  { set }: GoldenSet,
): void {
  const { origin } = new URL(baseUrl);
  const [first] = tasks;
  const url = `${baseUrl}/agents/${first?.agent_id}/tasks`;
  const lines = [
    '',
    '   (the built-in model only echoes; with a model of a real provider the agent gives a real reply)',
    '',
    `   All endpoints   ${origin}/docs`,
    `   The tasks       ${url}`,
    `   The verdicts    ${baseUrl}/monitors/${monitorId}/runs`,
    ...tasks.map(({ id }) => `   This task       ${url}/${id}`),
    `   The test set    ${baseUrl}/unified-test-sets/${set.id}/items`,
    `   To look at one  curl -s -H "X-Service-Api-Key: $(cat '${keyFile}')" ${url}/${first?.id}`,
  ];
  for (const line of lines) progress.log(line);
}

async function showCorrection(
  { api, step }: DemoContext,
  { application, service }: PreparedDesk,
): Promise<{ sentinel: Sentinel; answer: GuardedAnswer }> {
  const sentinel = await step(
    'A sentinel that corrects such answers of chat completions before they are sent',
    () => openSentinel(api, application, service.url),
    ({ id, state }) => `sentinel ${id} is ${state}; its judge is a model of the system run by this demo`,
  );
  const answer = await step(
    'A chat completion in safe mode, with a model that only echoes',
    () => askGuarded(api, application),
    ({ verdict, corrected, text }) => `${verdict}; the caller received ${corrected ? 'the correction ' : ''}"${text}"`,
  );
  return { sentinel, answer };
}

export async function runOrderDesk(context: DemoContext): Promise<boolean> {
  const { api, natsUrl, step } = context;
  const { company } = await step(
    'The company of the key',
    () => api.apiKeys.getCurrent(),
    (key) => `the company "${key.company.name}"`,
  );
  let service: OrderService | null = null;
  try {
    const start = (port: number | null) => startOrderService(port, (url, payload) => callBack(api, url, payload));
    const ready = await prepareAgent(context, async (port) => (service = await start(port)));
    const askAll = async (): Promise<Task[]> => {
      const done: Task[] = [];
      for (const question of QUESTIONS) done.push(await invoke(context, ready.agentId, question));
      return done;
    };
    const { tasks, reported, guarded, answer, elsewhere, shown } = await whileAllowed(
      natsUrl,
      company.id,
      ready.service.place,
      async () => {
        const done = await whileReported(context, company.id, askAll);
        const { sentinel, answer } = await showCorrection(context, ready);
        const guarded = await guardRelease(context, ready.agentId, ready.version, done.tasks);
        const elsewhere = await showElsewhere(context, ready.service);
        return { ...done, answer, guarded, elsewhere, shown: await showEveryPage(context, ready, sentinel) };
      },
    );
    const verdicts = await step(
      'What the monitor found',
      () => verdictsOf(api, ready.monitorId, tasks),
      (runs) => runs.map(({ source_id, outcome }) => `${outcome} for task ${source_id}`).join(', '),
    );
    const listed = await listByCommand(context, ready.agentId, tasks.length);
    conclude(context, tasks, ready.monitorId, await importIntoSet(context, tasks));
    const good = tasks.every(({ status }) => status === 'COMPLETED') && verdicts.length === tasks.length && reported;
    return (
      good &&
      listed &&
      guarded &&
      shown &&
      elsewhere &&
      answer.corrected &&
      ready.service.asked() > 0 &&
      ready.service.calledBack() > 0
    );
  } finally {
    await (service as OrderService | null)?.close();
  }
}
