import { useState } from 'preact/hooks';
import type { ListedTestSetItem, TestSetItem } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';
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
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [asked, setAsked] = useState<'override' | 'delete' | null>(null);
  async function remove(): Promise<void> {
    await api.testSets.deleteItem({ test_set_id, item_id });
    say('The item is deleted.');
    changed();
    close();
  }
  async function removeOverride(): Promise<void> {
    await api.testSets.deleteResponseSub({ test_set_id, item_id });
    cache.removeQueries({ queryKey: ['item', test_set_id, item_id] });
    say('The baseline is in force again.');
    changed();
  }
  if (asked === 'override')
    return (
      <Question
        title={`Remove the override of item ${item_id}?`}
        action="Remove the override"
        act={removeOverride}
        close={() => setAsked(null)}
      >
        <p>The baseline is in force again from the next scoring. The override cannot be brought back.</p>
      </Question>
    );
  if (asked === 'delete')
    return (
      <Question title={`Delete item ${item_id}?`} action="Delete the item" act={remove} close={() => setAsked(null)}>
        <p>It cannot be brought back.</p>
      </Question>
    );
  return (
    <Dialog title={`Item ${item_id}`} close={close}>
      <Loaded
        name={['item', test_set_id, item_id]}
        load={(signal) => api.testSets.getItem({ test_set_id, item_id }, { signal })}
      >
        {(item, reload) => (
          <Item
            item={item}
            ask={setAsked}
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

function Item({
  item,
  ask,
  changed,
}: {
  item: TestSetItem;
  ask: (what: 'override' | 'delete') => void;
  changed: () => void;
}) {
  const { api, can, say } = usePortal();
  const { id: item_id, test_set_id, input, expected_output, response_sub } = item;
  async function override({ expected = '', note = '' }: Record<string, string>) {
    const expected_now = expectedOf(expected, item.effective_expected_output);
    await api.testSets.setResponseSub({ test_set_id, item_id, expected_output: expected_now, note: note || null });
    say('The override is in force from the next scoring.');
    changed();
  }
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
      {can('write') && (
        <div class="bar">
          {response_sub && <button onClick={() => ask('override')}>Remove the override</button>}
          <button class="danger" onClick={() => ask('delete')}>
            Delete the item
          </button>
        </div>
      )}
    </>
  );
}
