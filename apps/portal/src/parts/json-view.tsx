import { useState } from 'preact/hooks';
import { Copy } from './copy.js';
import { FIRST, Rest, STEP } from './long-text.js';

export function JsonView({ value, label, file }: { value: unknown; label: string; file?: string }) {
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
      {text.length > FIRST && (
        <Rest
          text={text}
          shown={shown}
          more={() => setShown(shown + STEP)}
          file={file ?? `${label.toLowerCase().replaceAll(' ', '-')}.json`}
        />
      )}
    </div>
  );
}
