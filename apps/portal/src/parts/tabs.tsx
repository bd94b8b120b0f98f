import type { ComponentChildren } from 'preact';

/** The caller owns the choice; arrow keys move between tabs. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  choose,
  counts,
  children,
}: {
  label: string;
  names: readonly Name[];
  chosen: Name;
  choose: (name: Name) => void;
  counts?: Partial<Record<Name, number>>;
  children: ComponentChildren;
}) {
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length];
    if (next === undefined) return;
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
  }
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            role="tab"
            aria-selected={name === chosen}
            aria-controls="tab-panel"
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
            {counts?.[name] !== undefined && <span class="soft"> {counts[name]}</span>}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${chosen}`} class="stack">
        {children}
      </div>
    </div>
  );
}
