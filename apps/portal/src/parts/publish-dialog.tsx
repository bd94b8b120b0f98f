import { Dialog } from './dialog.js';
import { Field, Form } from './form.js';

export type Increment = 'major' | 'minor' | 'patch';

export function PublishDialog({
  latest,
  publish,
  close,
}: {
  latest: string | null;
  publish: (notes: string, increment: Increment) => Promise<void>;
  close: () => void;
}) {
  return (
    <Dialog title="Publish the draft" close={close}>
      <Form
        action="Publish it"
        submit={({ notes = '', increment = 'minor' }) => publish(notes, increment as Increment)}
      >
        <p class="soft">
          {latest === null
            ? 'This becomes version 1.0.0, which never changes.'
            : `The latest version is ${latest}. The new one never changes.`}
        </p>
        {latest !== null && (
          <Field label="Part of the number that grows">
            <select name="increment">
              <option>minor</option>
              <option>patch</option>
              <option>major</option>
            </select>
          </Field>
        )}
        <Field label="What changed">
          <textarea name="notes" rows={3} maxLength={2000} autofocus />
        </Field>
      </Form>
    </Dialog>
  );
}
