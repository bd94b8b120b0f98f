import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';

export function NewItem({ testSetId, close, made }: { testSetId: number; close: () => void; made: () => void }) {
  const { api } = usePortal();
  async function make({ message = '', expected = '' }: Record<string, string>) {
    await api.testSets.createItem({
      test_set_id: testSetId,
      input: { messages: [{ role: 'user', content: message }] },
      ...(expected ? { expected_output: { text: expected } } : {}),
    });
    made();
    close();
  }
  return (
    <Dialog title="New item" close={close}>
      <Form action="Add it" submit={make}>
        <Field label="Message">
          <textarea name="message" rows={4} required autofocus />
        </Field>
        <Field label="Expected answer" hint="Without one, only criteria judge the item.">
          <textarea name="expected" rows={4} />
        </Field>
      </Form>
    </Dialog>
  );
}
