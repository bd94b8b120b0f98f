import { useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { type ParentType, releasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { focusOf } from '../../parts/focus.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Card } from './board.js';

interface Parent {
  type: ParentType;
  id: number;
}

export function ReleasesOf({ type, id, isPublished }: Parent & { isPublished: boolean }) {
  const { api } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  if (!isPublished) return <Empty title="A release is a name that points at a version. Publish a version first." />;
  const make = (
    <ScopedButton scope="write" kind="primary" act={() => setIsNew(true)}>
      New release
    </ScopedButton>
  );
  return (
    <Loaded
      name={['releases', type, id]}
      load={(signal) => api.releases.listAll({ parent_type: [type], parent_id: id, limit: 100 }, { signal })}
    >
      {({ data }, reload) => {
        const changed = (): void => {
          reload();
          void cache.invalidateQueries({ queryKey: [`${type}-releases`, id] });
        };
        return (
          <>
            {data.length === 0 ? (
              <Empty title="A release is a name that points at a version, so that callers need not change.">
                {make}
              </Empty>
            ) : (
              <>
                <div>{make}</div>
                <Card releases={data} moved={changed} />
              </>
            )}
            {isNew && <NewRelease type={type} id={id} close={() => setIsNew(false)} made={changed} />}
          </>
        );
      }}
    </Loaded>
  );
}

function NewRelease({ type, id, close, made }: Parent & { close: () => void; made: () => void }) {
  const { api, say } = usePortal();
  const calls = releasesOf(api, type, id);
  async function make({ name = '', version = '' }: Record<string, string>) {
    await calls.create(name, version);
    say(`${name} is on ${version}.`);
    close();
    made();
  }
  return (
    <Dialog title="New release" close={close}>
      <Loaded name={['versions', type, id]} load={calls.versions}>
        {(versions) => (
          // Only once the versions are loaded: it could be sent without one.
          <Form submit={make} action="Make it">
            <Field label="Name" hint="Small letters, digits and hyphens, such as production.">
              <input name="name" class="mono" required maxLength={64} pattern="[a-z0-9][a-z0-9_\-]*" ref={focusOf} />
            </Field>
            <Field label="Version">
              <select name="version">
                {versions.map(({ version }) => (
                  <option key={version}>{version}</option>
                ))}
              </select>
            </Field>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
