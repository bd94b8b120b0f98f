import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import type { ListedTestSetItem, TestSetItem } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { answerText, expectedOf } from '../../rules/verdict.js';
import { Asked } from './asked.js';

export function ItemDialog({
  item: { id: item_id, test_set_id },
  close,
  changed,
}: {
  item: Pick<ListedTestSetItem, 'id' | 'test_set_id'>;
  close: () => void;
  changed: () => void;
}) {
  const { api } = usePortal();
  return (
    <Dialog title={`Item ${item_id}`} close={close}>
      <Loaded
        name={['item', test_set_id, item_id]}
        load={(signal) => api.testSets.getItem({ test_set_id, item_id }, { signal })}
      >
        {(item, reload) => (
          <Item
            item={item}
            close={close}
            changed={() => {
              reload();
              changed();
            }}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

function Item({ item, close, changed }: { item: TestSetItem; close: () => void; changed: () => void }) {
  const { api, can, say } = usePortal();
  const [error, setError] = useState<unknown>(null);
  const { id: item_id, test_set_id, input, expected_output, response_sub } = item;
  const done = (text: string): void => {
    say(text);
    changed();
  };
  async function override({ expected = '', note = '' }: Record<string, string>) {
    const expected_now = expectedOf(expected, item.effective_expected_output);
    await api.testSets.setResponseSub({ test_set_id, item_id, expected_output: expected_now, note: note || null });
    done('The override is in force from the next scoring.');
  }
  const act = (call: Promise<unknown>, text: string): void => void call.then(() => done(text)).catch(setError);
  return (
    <>
      <Asked input={input} />
      <JsonView label="Baseline" value={answerText(expected_output) ?? '(none)'} />
      {can('write') && (
        <Form action="Set the override" submit={override}>
          <Field label="Expected instead" hint="Takes precedence over the baseline, which stays.">
            <textarea
              name="expected"
              rows={5}
              required
              defaultValue={answerText(item.effective_expected_output) ?? ''}
            />
          </Field>
          <Field label="Note">
            <input name="note" maxLength={2000} defaultValue={response_sub?.note ?? ''} />
          </Field>
        </Form>
      )}
      <Failure error={error} />
      {can('write') && (
        <div class="bar">
          {response_sub && (
            <button
              onClick={() =>
                act(api.testSets.deleteResponseSub({ test_set_id, item_id }), 'The baseline is in force again.')
              }
            >
              Remove the override
            </button>
          )}
          <button
            class="danger"
            onClick={() => act(api.testSets.deleteItem({ test_set_id, item_id }).then(close), 'The item is deleted.')}
          >
            Delete the item
          </button>
        </div>
      )}
    </>
  );
}
