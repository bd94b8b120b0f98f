import { diffOf, sizeOf } from './script-diff.js';

const SIGNS = { same: ' ', added: '+', removed: '−', gap: ' ' };
const WORDS = { same: '', added: 'added: ', removed: 'removed: ', gap: '' };

/** Signs, words for screen readers and colours mark additions and removals. */
export function Diff({ label, from, to }: { label: string; from: string; to: string }) {
  const lines = diffOf(from, to);
  if (lines.length === 0) return <p class="soft">{label}: no difference.</p>;
  return (
    <div class="stack">
      <div class="head">
        <h3>{label}</h3>
        <span class="soft">{sizeOf(lines)}</span>
      </div>
      <div class="diff" tabIndex={0} role="region" aria-label={`${label}: ${sizeOf(lines)}`}>
        {lines.map(({ kind, text, from: before, to: after }, n) => (
          <div class={`diff-line ${kind}`} key={n}>
            <span class="number">{before ?? ''}</span>
            <span class="number">{after ?? ''}</span>
            <span aria-hidden="true">{SIGNS[kind]}</span>
            <span class="text">
              {WORDS[kind] && <span class="visually-hidden">{WORDS[kind]}</span>}
              {text}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
