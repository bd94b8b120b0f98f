import type { Sentinel } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { holdBack, openAnswerDesk, openCriteria, raiseAlert, testBoth } from './answer-desk.js';
import { showBuilding } from './build-steps.js';
import { evaluate } from './evaluated.js';
import type { PreparedDesk } from './preparation.js';
import { showTraffic } from './traffic-steps.js';
import { showTraining } from './training-steps.js';

/** Content for every page of the portal; returns whether all of it exists. */
export async function showEveryPage(context: DemoContext, ready: PreparedDesk, sentinel: Sentinel): Promise<boolean> {
  const parts = [
    await showRegression(context, ready, sentinel),
    await showBuilding(context, ready),
    await showTraffic(context, ready),
    await showTraining(context, ready, sentinel),
  ];
  return parts.every((isShown) => isShown);
}

async function showRegression(
  { api, step }: DemoContext,
  { application }: PreparedDesk,
  sentinel: Sentinel,
): Promise<boolean> {
  const desk = await step(
    'An agent whose newest version is worse',
    () => openAnswerDesk(api, application),
    ({ agent, good, bad }) => `agent ${agent.id}, ${good} and ${bad}`,
  );
  await step(
    'A criterion that judges its test set',
    () => openCriteria(api, desk.setId),
    () => `test set ${desk.setId} is judged by it`,
  );
  const [base, run] = await step(
    'Run the test set against both versions',
    () => testBoth(api, desk),
    ([first, second]) =>
      `test runs ${first.id} and ${second.id}: ${first.matched_items} and ${second.matched_items} match`,
  );
  const mayMove = await step(
    `Ask the gate of "production" whether ${desk.bad} may move`,
    () => holdBack(api, desk),
    (passed) => (passed ? 'it may' : 'it is held back'),
  );
  const alert = await step(
    'Three bad answers in a row',
    () => raiseAlert(api, desk),
    (opened) => (opened ? `alert ${opened.id} of monitor ${opened.monitor_id} is open` : 'no alert has opened'),
  );
  const evaluation = await step(
    'Judge the recorded requests by the sentinel',
    () => evaluate(api, application.id, sentinel),
    ({ id, evaluated_requests, fault_count }) =>
      `evaluation ${id} judged ${evaluated_requests} and found ${fault_count} faults`,
  );
  const regressed = base.match_rate === 1 && run.match_rate === 0;
  return regressed && !mayMove && alert !== null && evaluation.status === 'DONE';
}
