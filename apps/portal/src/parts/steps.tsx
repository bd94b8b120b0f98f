import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { duration } from '../rules/formats.js';
import type { Step } from '../rules/timeline.js';
import { JsonView } from './json-view.js';
import { Lamp } from './lamp.js';

const SHOWN = 300;
const MORE = 2000;

/** Tasks of agents and runs of workflows. */
function childrenOf({ events }: Step): { path: string; title: string }[] {
  const ids = (field: string): string[] => [
    ...new Set(events.map((event) => event[field]).filter((id): id is string => typeof id === 'string')),
  ];
  return [
    ...ids('child_run_id').map((id) => ({ path: `/runs/workflow/${id}`, title: 'Open the run of the workflow' })),
    ...ids('child_task_id').map((id) => ({ path: `/runs/task/${id}`, title: 'Open the run of the agent' })),
  ];
}

export function Steps({ steps }: { steps: readonly Step[] }) {
  const [open, setOpen] = useState<string | null>(null);
  const [shown, setShown] = useState(SHOWN);
  return (
    <div class="stack">
      <ol class="steps">
        {steps.slice(0, shown).map((step) => (
          <li key={step.key}>
            <button aria-expanded={open === step.key} onClick={() => setOpen(open === step.key ? null : step.key)}>
              <span>{step.title}</span>
              <span>{step.state && <Lamp state={step.state} failureClass={step.failureClass} />}</span>
              <span class="number">{duration(step.durationMs)}</span>
            </button>
            {open === step.key && (
              <div class="stack inside">
                {childrenOf(step).map(({ path, title }) => (
                  <Link key={path} href={path}>
                    {title}
                  </Link>
                ))}
                <JsonView label="What happened" value={step.events} />
              </div>
            )}
          </li>
        ))}
      </ol>
      {shown < steps.length && (
        <button onClick={() => setShown(shown + MORE)}>
          Show more of {steps.length.toLocaleString('en-US')} steps
        </button>
      )}
    </div>
  );
}
