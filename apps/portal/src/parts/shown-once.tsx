import type { ComponentChildren } from 'preact';
import { Copy } from './copy.js';
import { Dialog } from './dialog.js';

/** A secret that the API returns a single time; it lives in this dialog only. */
export function ShownOnce({
  name,
  secret,
  close,
  children,
}: {
  /** What it is, such as `key`. */
  name: string;
  secret: string;
  close: () => void;
  children?: ComponentChildren;
}) {
  return (
    <Dialog title={`The new ${name}, shown this once`} close={close}>
      <pre class="json" tabIndex={0} aria-label={`The new ${name}`}>
        {secret}
      </pre>
      <div>
        <Copy text={secret} label={`Copy the ${name}`} />
      </div>
      {children}
      <p class="soft">Store it now: it cannot be shown again.</p>
    </Dialog>
  );
}
