import { useState } from 'preact/hooks';
import type { TestRun, TestRunsResetFailedInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { type Secret, SecretFields, secretsOf } from '../../parts/secret-fields.js';
import { count } from '../../rules/formats.js';

type Classes = NonNullable<TestRunsResetFailedInput['classes']>;

export function RunAgain({
  run: { id, consumer_kind },
  close,
  started,
}: {
  run: TestRun;
  close: () => void;
  started: () => void;
}) {
  const { api } = usePortal();
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const [left, setLeft] = useState<readonly string[]>([]);
  return (
    <Dialog title="Run errors again" close={close}>
      <Loaded name={['test run progress', id]} load={(signal) => api.testRuns.getProgress({ id }, { signal })}>
        {({ failed_by_class }) => {
          const classes = Object.entries(failed_by_class).filter(([, failed]) => failed > 0);
          const chosen = classes.map(([name]) => name).filter((name) => !left.includes(name));
          return (
            <Form
              action="Run them again"
              submit={async () => {
                await api.testRuns.resetFailed({ id, classes: chosen as Classes, secrets: secretsOf(secrets) });
                started();
                close();
              }}
              {...(chosen.length === 0 ? { locked: 'Choose at least one kind.' } : {})}
            >
              <p class="soft">Their results are replaced, and the run is scored again.</p>
              <fieldset class="stack tight">
                <legend class="visually-hidden">Kinds of errors</legend>
                {classes.map(([name, failed]) => (
                  <label class="check-line" key={name}>
                    <input
                      type="checkbox"
                      checked={!left.includes(name)}
                      onChange={({ currentTarget: { checked } }) =>
                        setLeft(checked ? left.filter((each) => each !== name) : [...left, name])
                      }
                    />
                    {name} ({count(failed)})
                  </label>
                ))}
              </fieldset>
              {consumer_kind === 'EXTERNAL' && <SecretFields secrets={secrets} change={setSecrets} />}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
