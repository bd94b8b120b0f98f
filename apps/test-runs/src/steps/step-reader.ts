import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type Caller,
  nullIfNotFound,
  type Page,
  type RunTimelineEvent,
  type SourceRef,
  tasks,
  type TimelineEvent,
  workflowRuns,
} from '@signalbox/contracts';
import { pause, retriedCall } from '@signalbox/runs';
import { type ItemSteps, stepsOfRun, stepsOfTask } from './item-steps.js';

/** Limits for the events of one item, and the characters of their JSON. */
export const MAX_EVENTS = 2000;
export const MAX_EVENT_CHARS = 4_194_304;
const PAGE_EVENTS = 100;
/** The trace of a program that runs elsewhere closes some seconds after its last span. */
const TRACE_MS = 60_000;
const POLL_MS = 1000;
const OPEN: readonly string[] = ['QUEUED', 'RUNNING'];

/** The message says why. */
export class StepsUnavailable extends Error {}

export interface StepSource {
  companyId: number;
  ref: SourceRef | null;
  /** Epoch ms; null when unknown. */
  endedAt: number | null;
  signal: AbortSignal;
}

type ReadPage<T> = (caller: Caller, page: { offset: number; limit: number; sort: string }) => Promise<Page<T>>;

@Injectable()
export class StepReader {
  constructor(private readonly bus: BusClient) {}

  /** Rejects with StepsUnavailable when there are none, and with `unavailable` when a service is down. */
  async read(source: StepSource): Promise<ItemSteps> {
    const { agent_task_id: task_id, workflow_run_id: run_id } = source.ref ?? {};
    if (task_id !== undefined) return this.ofTask(source, task_id);
    if (run_id !== undefined) return this.ofRun(source, run_id);
    throw new StepsUnavailable(
      source.ref ? 'a call of a model has no steps' : 'nothing is known of what was called for this item',
    );
  }

  /** US dollars; null when unknown. */
  async costOfTask(source: StepSource, task_id: string): Promise<number | null> {
    return (await this.endedTask(source, task_id)).cost;
  }

  private async ofTask(source: StepSource, task_id: string): Promise<ItemSteps> {
    const { agent_id, status } = await this.endedTask(source, task_id);
    const events = await this.events<TimelineEvent>(source, (caller, page) =>
      this.bus.call(tasks.endpoints.listTaskTimeline, { agent_id, task_id, include_children: true, ...page }, caller),
    );
    return stepsOfTask(status, events);
  }

  /** Waits: the task of a trace appears with its spans, and ends some seconds after the last of them. */
  private async endedTask(source: StepSource, task_id: string) {
    const { companyId, signal, endedAt } = source;
    const until = (endedAt ?? 0) + TRACE_MS;
    for (;;) {
      const task = await retriedCall(companyId, signal, (caller) =>
        this.bus.call(tasks.endpoints.getAnyTask, { task_id, wait_seconds: 0 }, caller),
      ).catch(nullIfNotFound);
      if (task && !OPEN.includes(task.status)) return task;
      if (Date.now() >= until)
        throw new StepsUnavailable(
          task ? `the task of the item is still ${task.status}` : 'the trace of the item has not arrived',
        );
      await pause(POLL_MS, signal);
    }
  }

  private async ofRun(source: StepSource, run_id: string): Promise<ItemSteps> {
    const run = await retriedCall(source.companyId, source.signal, (caller) =>
      this.bus.call(workflowRuns.endpoints.getRun, { run_id, wait_seconds: 0 }, caller),
    ).catch(nullIfNotFound);
    if (!run) throw new StepsUnavailable('the workflow run of the item does not exist any more');
    const events = await this.events<RunTimelineEvent>(source, (caller, page) =>
      this.bus.call(workflowRuns.endpoints.listRunTimeline, { run_id, include_children: true, ...page }, caller),
    );
    return stepsOfRun(run.status, events);
  }

  private async events<T>({ companyId, signal }: StepSource, read: ReadPage<T>): Promise<T[]> {
    const events: T[] = [];
    let chars = 0;
    for (;;) {
      const page = { offset: events.length, limit: PAGE_EVENTS, sort: 'id' };
      const { data, pagination } = await retriedCall(companyId, signal, (caller) => read(caller, page));
      events.push(...data);
      chars += JSON.stringify(data).length;
      if (pagination.total > MAX_EVENTS)
        throw new StepsUnavailable(`the timeline of the item has more than ${MAX_EVENTS} events`);
      if (chars > MAX_EVENT_CHARS)
        throw new StepsUnavailable(`the timeline of the item is longer than ${MAX_EVENT_CHARS} characters`);
      if (data.length === 0 || events.length >= pagination.total) return events;
    }
  }
}
