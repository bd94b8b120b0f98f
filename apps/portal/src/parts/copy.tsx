import { useState } from 'preact/hooks';

const SHOWN_MS = 3000;

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      // There is no clipboard without HTTPS, except at an address of the machine itself.
      setOutcome('Cannot copy here: select the text');
    }
    setTimeout(() => setOutcome(null), SHOWN_MS);
  }
  return (
    <button class="plain" onClick={() => void copy()}>
      {outcome ?? label}
    </button>
  );
}
