import type { Task } from '@signalbox/sdk';
import { usePortal } from '../api/portal.js';
import { Dialog } from './dialog.js';
import { Field, Form } from './form.js';
import { textOf } from './messages.js';
import { TestSetChoice, useTestSetChoice } from './test-set-choice.js';

export function AddFailed({ task, close }: { task: Task; close: () => void }) {
  const { api, say } = usePortal();
  const choice = useTestSetChoice();
  async function add({ expected = '', ...given }: Record<string, string>): Promise<void> {
    const question = task.input_messages.find(({ role }) => role === 'user');
    if (!question) throw new Error('The run has no message of a user.');
    const { id: test_set_id, name } = await choice.chosen(given);
    await api.testSets.createItem({
      test_set_id,
      input: { messages: [{ role: 'user', content: textOf(question.content) }] },
      expected_output: expected === '' ? null : { text: expected },
      meta: { agent_task_id: task.id },
    });
    await choice.changed();
    say(`Added to ${name}.`);
    close();
  }
  return (
    <Dialog title="Add what it was asked to a test set" close={close}>
      <Form submit={add} action="Add">
        <TestSetChoice choice={choice} />
        <Field label="What it should have answered" hint="It may stay empty until somebody knows.">
          <textarea name="expected" rows={3} />
        </Field>
      </Form>
    </Dialog>
  );
}
