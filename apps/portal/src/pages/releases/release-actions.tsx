import { useState } from 'preact/hooks';
import type { ReleaseOverview } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { ReleasesOf } from '../../api/releases.js';
import { Question } from '../../parts/question.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { DEFAULT_WORDS } from '../../rules/gate-words.js';

export function ReleaseActions({
  release: { name, parent_name, parent_type, is_default },
  calls,
  changed,
}: {
  release: ReleaseOverview;
  calls: ReleasesOf;
  changed: () => void;
}) {
  const { say } = usePortal();
  const [asked, setAsked] = useState<'default' | 'delete' | null>(null);
  const close = (): void => setAsked(null);
  async function act(call: Promise<unknown>, done: string): Promise<void> {
    await call;
    say(done);
    changed();
  }
  const of = <span class="visually-hidden"> of {name}</span>;
  return (
    <>
      {!is_default && (
        <ScopedButton scope="write" kind="plain" act={() => setAsked('default')}>
          Make default{of}
        </ScopedButton>
      )}
      <ScopedButton scope="write" kind="plain" act={() => setAsked('delete')}>
        Delete{of}
      </ScopedButton>
      {asked === 'default' && (
        <Question
          title={`Make ${name} the default of ${parent_name}?`}
          action="Make it the default"
          act={() => act(calls.update(name, { is_default: true }), `${name} is the default of ${parent_name}.`)}
          close={close}
        >
          <p>{DEFAULT_WORDS[parent_type]}</p>
        </Question>
      )}
      {asked === 'delete' && (
        <Question
          title={`Delete ${name} of ${parent_name}?`}
          action="Delete the release"
          act={() => act(calls.remove(name), `${name} is deleted.`)}
          close={close}
        >
          <p>
            Calls that name it are refused from then on. {is_default && 'It is the default. '}The versions stay, the
            history of the release does not.
          </p>
        </Question>
      )}
    </>
  );
}
