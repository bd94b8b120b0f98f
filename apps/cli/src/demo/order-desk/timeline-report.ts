import type { Task, TimelineEvent } from '@signalbox/sdk';

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function detailsOf(event: TimelineEvent): string {
  const {
    type,
    role,
    content,
    action_name: action,
    arguments: given,
    output,
    status,
    duration_ms: ms,
    message,
  } = event;
  switch (type) {
    case 'message':
      return `${role ?? 'message'}: ${shown(content ?? '')}`;
    case 'action_invoked':
      return `${action ?? 'action'} ${shown(given ?? {})}`;
    case 'routing':
      return `a rule sends it to ${shown(event.route ?? {})}`;
    case 'sub_agent_invoked':
      return `called a sub-agent, task ${event.child_task_id ?? ''}`;
    case 'model_called':
      return `calls ${event.model ?? 'the default model'}`;
    case 'model_answered':
      return `${event.finish_reason ?? event.failure_class ?? 'answered'} after ${ms ?? 0} ms`;
    case 'waiting_webhook':
      return `${action ?? 'action'} waits for its callback, and occupies no worker meanwhile`;
    case 'action_result':
      return `${status ?? ''} in ${ms ?? 0} ms: ${shown(output ?? null)}`;
    default:
      return message ?? status ?? '';
  }
}

export function timelineLines(events: TimelineEvent[]): string[] {
  const start = events[0]?.timestamp ?? 0;
  return events.map((event) => {
    const at = `+${event.timestamp - start} ms`.padStart(9);
    const details = detailsOf(event).replaceAll(/\s+/g, ' ').slice(0, 150);
    return `   ${at}  ${event.type.padEnd(16)}${details}`;
  });
}

export const answerOf = (task: Task): string => shown(task.output?.content ?? '');
