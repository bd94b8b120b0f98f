import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.js';
import { Form } from './form.js';

export function Question({
  title,
  action,
  act,
  close,
  children,
}: {
  title: string;
  action: string;
  act: (fields: Record<string, string>) => Promise<unknown>;
  close: () => void;
  children?: ComponentChildren;
}) {
  return (
    <Dialog title={title} close={close}>
      <Form submit={async (fields) => (await act(fields), close())} action={action}>
        {children}
      </Form>
    </Dialog>
  );
}
