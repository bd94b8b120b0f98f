import type { RecordedRequest } from '@signalbox/sdk';
import { usePortal } from '../api/portal.js';
import { answersOf, correctionsOf } from '../rules/request-texts.js';
import { Dialog } from './dialog.js';
import { Field, Form } from './form.js';
import { textOf } from './messages.js';

export function CorrectionDialog({
  request,
  done,
  close,
}: {
  request: RecordedRequest;
  done: (corrected: RecordedRequest) => void;
  close: () => void;
}) {
  const { api } = usePortal();
  const present = correctionsOf(request)[0] ?? answersOf(request)[0];
  async function correct({ content = '', note = '' }: Record<string, string>): Promise<void> {
    const choices = [{ message: { role: 'assistant' as const, content } }];
    done(await api.requests.correct({ request_id: request.request_id, choices, ...(note === '' ? {} : { note }) }));
    close();
  }
  return (
    <Dialog title="What should it have answered?" close={close}>
      <Form submit={correct} action="Save the correction">
        <Field label="Answer" hint="Test sets and datasets use it in place of the original.">
          <textarea name="content" rows={10} required defaultValue={textOf(present?.content)} autofocus />
        </Field>
        <Field label="Why">
          <input name="note" maxLength={2000} defaultValue={request.corrected_response?.note ?? ''} />
        </Field>
      </Form>
    </Dialog>
  );
}
