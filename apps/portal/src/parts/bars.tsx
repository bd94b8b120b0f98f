import { useState } from 'preact/hooks';
import type { Bucket } from '../rules/activity.js';
import { exact } from '../rules/formats.js';
import { useKeyHints } from './keys.js';

const KINDS = [
  ['fault', 'bad'],
  ['warning', 'wait'],
  ['error', 'odd'],
  ['pass', 'good'],
] as const;
const HEIGHT = 100;
const WIDTH = 10;
const GAP = 2;

interface Props {
  label: string;
  buckets: readonly Bucket[];
  /** The largest total of all adjacent charts, so that noise does not look like an alarm. */
  most: number;
  isSmall?: boolean;
  open?: (bucket: Bucket) => void;
}

/** Stacked bars, with a table of the same values. */
export function Bars({ label, buckets, most, isSmall = false, open }: Props) {
  const [at, setAt] = useState<number | null>(null);
  // The bars are one tab stop: at first the newest one that is not empty.
  const newest = buckets.findLastIndex(({ total }) => total > 0);
  const stop = Math.min(at ?? newest, buckets.length - 1);
  useKeyHints(
    open
      ? [
          ['← →', 'next and previous bar'],
          ['Enter', 'open what a bar stands for'],
        ]
      : [],
  );

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const bars = (event.currentTarget as Element).querySelectorAll<SVGElement>('.bar-link');
    if (step !== undefined) bars[Math.max(0, Math.min(bars.length - 1, stop + step))]?.focus();
    else if ((event.key === 'Enter' || event.key === ' ') && open && buckets[stop]) open(buckets[stop]);
    else return;
    event.preventDefault();
  }
  return (
    <figure class={isSmall ? 'bars small' : 'bars'}>
      <svg
        viewBox={`0 0 ${buckets.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role={open ? 'group' : 'img'}
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {buckets.map((bucket, n) => (
          <Bar
            key={bucket.timestamp}
            bucket={bucket}
            x={n * WIDTH}
            most={Math.max(1, most)}
            {...(open
              ? { button: { tabIndex: n === stop ? 0 : -1, onFocus: () => setAt(n), act: () => open(bucket) } }
              : {})}
          />
        ))}
      </svg>
      {!isSmall && (
        <details>
          <summary>As a table</summary>
          <table>
            <thead>
              <tr>
                {['From', 'Pass', 'Warning', 'Fault', 'Error'].map((title) => (
                  <th key={title}>{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ timestamp, pass, warning, fault, error }) => (
                <tr key={timestamp}>
                  <td>{exact(timestamp)}</td>
                  {[pass, warning, fault, error].map((value, n) => (
                    <td key={n} class="number">
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  );
}

interface Button {
  tabIndex: number;
  onFocus: () => void;
  act: () => void;
}

function Bar({ bucket, x, most, button }: { bucket: Bucket; x: number; most: number; button?: Button }) {
  const words = `${exact(bucket.timestamp)}: ${bucket.fault} faults of ${bucket.total}`;
  const given = button && {
    class: 'bar-link',
    role: 'button' as const,
    'aria-label': words,
    // Lower case, because SVG attributes are case-sensitive in Firefox.
    tabindex: button.tabIndex,
    onFocus: button.onFocus,
    onClick: button.act,
  };
  let bottom = HEIGHT;
  return (
    <g {...given}>
      <title>{words}</title>
      <rect x={x} y={0} width={WIDTH - GAP} height={HEIGHT} fill="transparent" />
      {KINDS.map(([kind, tone]) => {
        const height = (bucket[kind] / most) * HEIGHT;
        bottom -= height;
        return <rect key={kind} class={`tone-${tone}`} x={x} y={bottom} width={WIDTH - GAP} height={height} />;
      })}
    </g>
  );
}
