import type { ListedTask, RecordedRequest } from '@signalbox/sdk';
import { answersOf, askedOf, correctionsOf, newlyAsked, type SaidMessage } from './request-texts.js';

export interface Turn {
  id: string;
  at: number;
  said: SaidMessage[];
  corrections: SaidMessage[];
  state: string;
  failureClass: string | null;
  durationMs: number | null;
  cost: number | null;
  links: { title: string; path: string }[];
  request: RecordedRequest | null;
}

/** In ascending order of time; each turn has only what is new. */
export function turnsOfRequests(requests: readonly RecordedRequest[]): Turn[] {
  let before: SaidMessage[] = [];
  return requests.map((request) => {
    const [asked, answers] = [askedOf(request), answersOf(request)];
    const said = [...newlyAsked(asked, before), ...answers];
    before = [...asked, ...answers];
    const { task_id, run_id } = request;
    return {
      id: request.request_id,
      at: request.date_created,
      said,
      corrections: correctionsOf(request),
      state: request.status,
      failureClass: request.failure_class,
      durationMs: request.response_time_ms,
      cost: request.usage.cost ?? null,
      links: [
        { title: 'request', path: `/runs/request/${request.request_id}` },
        ...(task_id === null ? [] : [{ title: 'run', path: `/runs/task/${task_id}` }]),
        ...(run_id === null ? [] : [{ title: 'run', path: `/runs/workflow/${run_id}` }]),
      ],
      request,
    };
  });
}

export const turnsOfTasks = (tasks: readonly ListedTask[]): Turn[] =>
  tasks.map((task) => ({
    id: task.id,
    at: task.date_created,
    said: [...(task.input_messages ?? []), ...(task.output ? [task.output] : [])] as SaidMessage[],
    corrections: [],
    state: task.status,
    failureClass: task.failure_class,
    durationMs: task.duration_ms,
    cost: task.cost,
    links: [{ title: 'run', path: `/runs/task/${task.id}` }],
    request: null,
  }));
