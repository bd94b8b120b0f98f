import type { Artifact, RunTimelineEvent, WorkflowRun } from '@signalbox/sdk';

const WIDTH = 150;

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function detailsOf(event: RunTimelineEvent): string {
  const { type, member, about, status, duration_ms: ms, name, ref, model, finish_reason: reason } = event;
  switch (type) {
    case 'call':
      return `${member ?? ''} ${shown(about ?? {})}: ${status ?? ''} in ${ms ?? 0} ms`;
    case 'step':
      return `${name ?? ''}: ${status ?? ''} in ${ms ?? 0} ms`;
    case 'child_run':
      return `${ref ?? ''} is ${status ?? ''}`;
    case 'model_called':
      return `calls ${model ?? 'the default model'}`;
    case 'model_answered':
      return `${reason ?? event.failure_class ?? 'answered'} after ${ms ?? 0} ms`;
    default:
      return event.message ?? status ?? '';
  }
}

export function runTimelineLines(run: WorkflowRun, events: RunTimelineEvent[]): string[] {
  const start = events[0]?.timestamp ?? 0;
  return events.map((event) => {
    const at = `+${event.timestamp - start} ms`.padStart(9);
    const depth = event.run_id === run.id ? '' : '  ';
    return `   ${at}  ${depth}${event.type.padEnd(15)}${detailsOf(event).replaceAll(/\s+/g, ' ')}`.slice(0, WIDTH);
  });
}

export function outcomeLines(run: WorkflowRun, artifacts: Artifact[]): string[] {
  const failure = run.error_message === null ? '' : `: ${run.error_message}`;
  return [
    `   It is ${run.status} after ${run.duration_ms ?? 0} ms${failure}`,
    `   output: ${shown(run.output)}`.slice(0, 4 * WIDTH),
    ...run.logs.map(({ level, message }) => `   log: ${level}: ${message}`.slice(0, WIDTH)),
    ...artifacts.map(({ key, size_bytes }) => `   artifact: ${key}, ${size_bytes} bytes`),
  ];
}
