import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Copy } from './copy.js';
import { Dialog } from './dialog.js';

/** A secret that the API returns once; it lives in this dialog only. */
export function ShownOnce({
  name,
  secret,
  close,
  children,
}: {
  name: string;
  secret: string;
  close: () => void;
  children?: ComponentChildren;
}) {
  const [asks, setAsks] = useState(false);
  const canClose = (): boolean => {
    setAsks(true);
    return asks;
  };
  return (
    <Dialog title={`The new ${name}, shown this once`} close={close} canClose={canClose}>
      <pre class="json" tabIndex={0} aria-label={`The new ${name}`}>
        {secret}
      </pre>
      <div>
        <Copy text={secret} label={`Copy the ${name}`} />
      </div>
      {children}
      <div class="bar">
        <p class={asks ? 'error' : 'soft'} role="status">
          {asks ? `Have you stored it? The ${name} cannot be shown again.` : 'Store it now: it cannot be shown again.'}
        </p>
        <button class="primary" onClick={close}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
