import { useState } from 'preact/hooks';
import { usePortal } from '../api/portal.js';
import { Failure } from './failure.js';
import { Question } from './question.js';
import { ScopedButton } from './scoped-button.js';

export function Lifecycle({
  name,
  noun,
  isEnabled,
  detaches,
  turns,
  ends = 'calls of it are refused',
  remove,
  changed,
  gone,
}: {
  name: string;
  noun: string;
  isEnabled: boolean;
  /** What a forced deletion detaches it from. */
  detaches: string;
  /** Undefined when it cannot be disabled. */
  turns?: { on: () => Promise<unknown>; off: () => Promise<unknown> };
  /** Consequences of a deletion besides those for versions and releases. */
  ends?: string;
  remove: (force: boolean) => Promise<unknown>;
  changed: () => void;
  gone: () => void;
}) {
  const { say } = usePortal();
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => setAsked(null);
  return (
    <>
      {turns && isEnabled && (
        <ScopedButton scope="write" act={() => setAsked('disable')}>
          Disable
        </ScopedButton>
      )}
      {turns && !isEnabled && (
        <ScopedButton
          scope="write"
          act={() =>
            void turns.on().then(() => {
              setError(null);
              say(`${name} is enabled.`);
              changed();
            }, setError)
          }
        >
          Enable
        </ScopedButton>
      )}
      <ScopedButton scope="write" kind="danger" act={() => setAsked('delete')}>
        Delete
      </ScopedButton>
      <Failure error={error} />
      {turns && asked === 'disable' && (
        <Question
          title={`Disable ${name}?`}
          action={`Disable the ${noun}`}
          act={async () => {
            await turns.off();
            say(`${name} is disabled.`);
            changed();
          }}
          close={close}
        >
          <p>Calls of it are refused until it is enabled again. What runs now ends by itself.</p>
        </Question>
      )}
      {asked === 'delete' && (
        <Question
          title={`Delete ${name}?`}
          action={`Delete the ${noun}`}
          act={async ({ force }) => {
            await remove(force === 'on');
            say(`${name} is deleted.`);
            gone();
          }}
          close={close}
        >
          <p>Its versions and releases go with it, and {ends}.</p>
          <label class="check-line">
            <input type="checkbox" name="force" /> {detaches}
          </label>
        </Question>
      )}
    </>
  );
}
