import type { FinetuneEvent, FinetuneRun } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

const LISTED = 100;
const LAMPS: Record<FinetuneEvent['level'], string> = { info: 'NA', warn: 'WARNING', error: 'ERROR' };

export function FinetuneEvents({ item: { id: finetune_run_id, date_updated } }: SectionProps<FinetuneRun>) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['finetune events', finetune_run_id, date_updated]}
      load={(signal) =>
        api.finetuneRuns.listFinetuneEvents({ finetune_run_id, sort: '-id', limit: LISTED }, { signal })
      }
    >
      {({ data, pagination: { total } }) =>
        data.length === 0 ? (
          <Empty title="Nothing has happened yet." />
        ) : (
          <>
            <Table label="Events" columns={['At', 'Kind', 'What happened']}>
              {data.map(({ timestamp, level, message }, n) => (
                <tr key={n}>
                  <td>
                    <Time at={timestamp} />
                  </td>
                  <td>{level === 'info' ? 'Information' : <Lamp state={LAMPS[level]} />}</td>
                  <td>{message}</td>
                </tr>
              ))}
            </Table>
            {total > LISTED && (
              <p class="soft">
                The last {LISTED} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}

export function Checkpoints({ item: { id: finetune_run_id, date_updated } }: SectionProps<FinetuneRun>) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['checkpoints', finetune_run_id, date_updated]}
      load={(signal) => api.finetuneRuns.listFinetuneCheckpoints({ finetune_run_id, limit: LISTED }, { signal })}
    >
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="No model was kept on the way." />
        ) : (
          <Table label="Checkpoints" columns={['Step', 'Model', 'Figures']}>
            {data.map(({ step, model_name, metrics }) => (
              <tr key={step}>
                <td>{step}</td>
                <td>
                  <code>{model_name}</code>
                </td>
                <td>
                  {Object.entries(metrics)
                    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${Number(value.toPrecision(4))}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
