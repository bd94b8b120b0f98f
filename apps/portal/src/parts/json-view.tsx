import { useState } from 'preact/hooks';
import { Copy } from './copy.js';

const FIRST = 20_000;
const STEP = 200_000;

/** Any value as text; a large one is shown in steps, because drawing it all at once would block the page. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const [shown, setShown] = useState(FIRST);
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');
  return (
    <div class="stack">
      <div class="head">
        <h2>{label}</h2>
        <Copy text={text} />
      </div>
      <pre class="json" tabIndex={0} aria-label={label}>
        {text.slice(0, shown)}
      </pre>
      {shown < text.length && (
        <button onClick={() => setShown(shown + STEP)}>
          Show more ({(text.length - shown).toLocaleString('en-US')} characters)
        </button>
      )}
    </div>
  );
}
