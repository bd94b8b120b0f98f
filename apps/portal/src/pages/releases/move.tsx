import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import type { ReleaseOverview } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { ReleasesOf, Tested } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { conditionsOf } from '../../rules/gate-words.js';
import { Difference } from './difference.js';

interface Props {
  release: ReleaseOverview;
  version: string;
  calls: ReleasesOf;
  close: () => void;
  moved: () => void;
}

export function Move({ release, version, calls, close, moved }: Props) {
  const { say } = usePortal();
  const [error, setError] = useState<unknown>(null);
  const { name, version_number, parent_name, gate_policy } = release;
  const move = async (override_reason?: string): Promise<void> => {
    await calls.update(name, { version, ...(override_reason ? { override_reason } : {}) });
    say(`${name} of ${parent_name} is on ${version}.`);
    moved();
    close();
  };
  return (
    <Dialog title={`Move ${name} of ${parent_name} from ${version_number} to ${version}`} close={close}>
      <Failure error={error} />
      {gate_policy === null ? (
        <>
          <p class="soft">This release has no gate: any version may move.</p>
          <div>
            <button class="primary" onClick={() => void move().catch(setError)}>
              Move to {version}
            </button>
          </div>
        </>
      ) : (
        <Gated release={release} version={version} calls={calls} move={move} />
      )}
      {/* Below the buttons, which would move under the pointer when it arrives. */}
      <Loaded
        name={['diff', release.parent_type, release.parent_id, version_number, version]}
        load={(signal) => calls.diff(version_number, version, signal)}
      >
        {(diff) => <Difference diff={diff} />}
      </Loaded>
    </Dialog>
  );
}

function Gated({
  release,
  version,
  calls,
  move,
}: Omit<Props, 'close' | 'moved'> & { move: (override_reason?: string) => Promise<void> }) {
  const { can } = usePortal();
  const queries = useQueryClient();
  const [isStarting, setIsStarting] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { gate_policy: policy, name, parent_type, parent_id } = release;
  if (!policy) return null;
  const key = ['gate', parent_type, parent_id, name, version];
  const isUnderWay = isStarting || tested !== null;
  const test = (): void => {
    if (isUnderWay) return;
    setIsStarting(true);
    setError(null);
    calls
      .test(version, policy.test_set_id)
      .then(setTested, setError)
      .finally(() => setIsStarting(false));
  };
  const ended = (): void => {
    setTested(null);
    void queries.invalidateQueries({ queryKey: key });
  };
  return (
    <Loaded name={key} load={(signal) => calls.check(name, version, signal)}>
      {({ passed, reasons, test_run_id }) => (
        <section class="stack" aria-label="Gate">
          <div class="head">
            <h2>Gate</h2>
            <Lamp state={passed ? 'MAY_MOVE' : 'BLOCKED'} />
            {test_run_id !== undefined && <span class="soft">decided by test run {test_run_id}</span>}
          </div>
          <ul>
            {conditionsOf(policy).map((condition) => (
              <li key={condition}>{condition}</li>
            ))}
          </ul>
          {!passed && (
            <div class="why">
              {reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </div>
          )}
          <Failure error={error} />
          <div class="bar">
            <button class="primary" aria-disabled={!passed} onClick={() => passed && void move().catch(setError)}>
              Move to {version}
            </button>
            {can('invoke') && (
              // Stays while the tests run, because it has the focus.
              <button aria-disabled={isUnderWay} onClick={test}>
                Run the tests on {version} now
              </button>
            )}
            {tested && <Progress tested={tested} ended={ended} />}
          </div>
          {!passed && can('admin') && (
            <details>
              <summary>Move it although the gate is closed</summary>
              <Form action={`Move to ${version} all the same`} submit={({ reason = '' }) => move(reason)}>
                <Field label="Reason" hint="It is kept in the history and in the audit log.">
                  <input name="reason" required minLength={1} maxLength={500} />
                </Field>
              </Form>
            </details>
          )}
        </section>
      )}
    </Loaded>
  );
}

/** Asks the gate again when the tests have ended. */
function Progress({ tested, ended }: { tested: Tested; ended: () => void }) {
  const { data } = useQuery({
    queryKey: ['tested', tested],
    queryFn: async ({ signal }) => {
      const left = await tested.left(signal);
      if (left === null) ended();
      return left ?? { done: 0, total: 0 };
    },
    refetchInterval: 1000,
  });
  return (
    <span role="status">
      <Lamp state="RUNNING" /> {data && data.total > 0 ? `${data.done} of ${data.total} items` : 'begins'}
    </span>
  );
}
