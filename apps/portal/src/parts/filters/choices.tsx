import { useEffect, useRef } from 'preact/hooks';
import { valueWords } from '../../rules/origins.js';

export function Choices({
  label,
  values,
  chosen,
  choose,
}: {
  label: string;
  values: readonly string[];
  chosen: readonly string[];
  choose: (values: string[]) => void;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !details.current?.contains(event.target))
        details.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !details.current?.open) return;
    details.current.removeAttribute('open');
    details.current.querySelector('summary')?.focus();
  };
  return (
    <div class="choices">
      <span class="hint">{label}</span>
      <details ref={details} onKeyDown={onKeyDown}>
        <summary>
          <span class="visually-hidden">{label}: </span>
          {chosen.length === 0 ? 'any' : chosen.length === 1 ? valueWords(chosen[0] ?? '') : `${chosen.length} chosen`}
        </summary>
        <div class="card" role="group" aria-label={label}>
          {values.map((value) => (
            <label class="check-line" key={value}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget }) =>
                  choose(values.filter((each) => (each === value ? currentTarget.checked : chosen.includes(each))))
                }
              />
              {valueWords(value)}
            </label>
          ))}
        </div>
      </details>
    </div>
  );
}
