import type { FinetuneMetric, FinetuneRun } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Empty } from '../../parts/empty.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { type Point, polyline, rangeOf } from '../../rules/curve.js';
import { count } from '../../rules/formats.js';

/** Training steps; a page of the API has a hundred. */
const DRAWN = 2000;
const LISTED = 200;
const SIZE: [number, number] = [600, 200];

interface Steps {
  steps: FinetuneMetric[];
  total: number;
}

export function Losses({ item: { id: finetune_run_id, date_updated } }: SectionProps<FinetuneRun>) {
  const { api } = usePortal();
  async function load(signal: AbortSignal): Promise<Steps> {
    const steps: FinetuneMetric[] = [];
    const list = api.finetuneRuns.listFinetuneMetrics({ finetune_run_id, limit: 100 }, { signal });
    for await (const { data, pagination } of list.pages()) {
      steps.push(...data);
      if (steps.length >= Math.min(DRAWN, pagination.total)) return { steps, total: pagination.total };
    }
    return { steps, total: steps.length };
  }
  return (
    <Loaded name={['losses', finetune_run_id, date_updated]} load={load}>
      {({ steps, total }) =>
        steps.length === 0 ? <Empty title="No step has ended yet." /> : <Curve steps={steps} total={total} />
      }
    </Loaded>
  );
}

function Curve({ steps, total }: Steps) {
  const trained = steps.map(({ step, train_loss }): Point => ({ x: step, y: train_loss }));
  const validated = steps.flatMap(({ step, validation_loss: y }): Point[] => (y === null ? [] : [{ x: step, y }]));
  const across = rangeOf(trained.map(({ x }) => x));
  const [least, most] = rangeOf([...trained, ...validated].map(({ y }) => y));
  const lines = { train: trained, validation: validated };
  return (
    <figure class="curve">
      <figcaption>
        <span class="key train">Training loss</span> <span class="key validation">Validation loss</span>
        <span class="soft">
          {' '}
          from {least.toFixed(3)} to {most.toFixed(3)}, steps {across[0]} to {across[1]}
          {total > steps.length && `; the first ${count(steps.length)} of ${count(total)} steps`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${SIZE[0]} ${SIZE[1]}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Losses of ${count(steps.length)} steps`}
      >
        {[0, 0.5, 1].map((share) => (
          <line key={share} class="grid" x1={0} x2={SIZE[0]} y1={share * SIZE[1]} y2={share * SIZE[1]} />
        ))}
        {Object.entries(lines).map(([name, points]) => (
          <polyline key={name} class={name} points={polyline(points, across, [least, most], SIZE)} />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <Table label="Losses" columns={['Step', 'Training loss', 'Validation loss']}>
          {steps.slice(-LISTED).map(({ step, train_loss, validation_loss }) => (
            <tr key={step}>
              <td>{step}</td>
              <td>{train_loss.toFixed(4)}</td>
              <td>{validation_loss === null ? '–' : validation_loss.toFixed(4)}</td>
            </tr>
          ))}
        </Table>
        {steps.length > LISTED && <p class="soft">The last {LISTED} of them.</p>}
      </details>
    </figure>
  );
}
