import { useState } from 'preact/hooks';

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), 1500);
    });
  };
  return (
    <button class="plain" onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}
