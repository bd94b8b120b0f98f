import { useState } from 'preact/hooks';
import type { Monitor } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { TargetFields, targetOf } from './target-fields.js';
import { TargetName } from './target-name.js';

export function Targets({
  monitor: { id: monitor_id, targets = [] },
  changed,
}: {
  monitor: Monitor;
  changed: () => void;
}) {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<{ monitor_target_id: number; name: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const allowed = can('write');
  const act = (call: () => Promise<unknown>): void => {
    if (!allowed) return;
    call()
      .then(() => {
        setError(null);
        changed();
      })
      .catch(setError);
  };
  async function attach(given: Record<string, string>): Promise<void> {
    await api.monitors.attachTarget({ monitor_id, ...targetOf(given), sample_rate: Number(given.sample_rate ?? 100) });
    setIsNew(false);
    changed();
  }
  return (
    <>
      <div>
        <button class="primary" aria-disabled={!allowed} onClick={() => allowed && setIsNew(true)}>
          Watch something else
        </button>
      </div>
      <Failure error={error} />
      {targets.length === 0 ? (
        <Empty title="It watches nothing yet." />
      ) : (
        <Table label="Targets" columns={['What', 'Kind', 'State', 'Judged share']} actions>
          {targets.map(({ id: monitor_target_id, target_id, target_name, target_type, enabled, sample_rate }) => (
            <tr key={monitor_target_id}>
              <td>
                <TargetName target={{ target_id, target_name, target_type }} />
              </td>
              <td>{target_type}</td>
              <td>
                <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} />
              </td>
              <td>
                <label class="inline">
                  <span class="visually-hidden">Share of {target_name} in percent</span>
                  <input
                    type="number"
                    min={0}
                    max={100}
                    defaultValue={sample_rate}
                    readOnly={!allowed}
                    onChange={({ currentTarget: field }) => {
                      // An empty field is no share: as a number it would be 0, and nothing would be judged.
                      if (field.value === '') return void (field.value = String(sample_rate));
                      const share = { sample_rate: Number(field.value) };
                      act(() => api.monitors.updateTarget({ monitor_id, monitor_target_id, ...share }));
                    }}
                  />
                  %
                </label>
              </td>
              <td class="actions">
                <button
                  aria-disabled={!allowed}
                  onClick={() =>
                    act(() =>
                      enabled
                        ? api.monitors.disableTarget({ monitor_id, monitor_target_id })
                        : api.monitors.enableTarget({ monitor_id, monitor_target_id }),
                    )
                  }
                >
                  {enabled ? 'Disable' : 'Enable'}
                </button>
                <button
                  aria-disabled={!allowed}
                  onClick={() => allowed && setUnwanted({ monitor_target_id, name: target_name })}
                >
                  Detach
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {unwanted && (
        <Question
          title={`Detach ${unwanted.name}?`}
          action="Detach it"
          act={async () => {
            await api.monitors.detachTarget({ monitor_id, monitor_target_id: unwanted.monitor_target_id });
            changed();
          }}
          close={() => setUnwanted(null)}
        >
          <p>It is judged no longer. What was judged stays.</p>
        </Question>
      )}
      {isNew && (
        <Dialog title="Watch something else" close={() => setIsNew(false)}>
          <Form action="Watch it" submit={attach}>
            <TargetFields />
            <Field label="Share of it that is judged, in percent">
              <input name="sample_rate" type="number" min={0} max={100} required defaultValue={100} />
            </Field>
          </Form>
        </Dialog>
      )}
    </>
  );
}
