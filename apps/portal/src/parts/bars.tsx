import type { Bucket } from '../rules/activity.js';
import { exact } from '../rules/formats.js';

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
  /** The largest total of all charts next to each other: noise must not look like an alarm. */
  most: number;
  /** A small one has no table of its values. */
  isSmall?: boolean;
  open?: (bucket: Bucket) => void;
}

/** Verdicts over time as stacked bars, with a table of the same values. */
export function Bars({ label, buckets, most, isSmall = false, open }: Props) {
  return (
    <figure class={isSmall ? 'bars small' : 'bars'}>
      <svg viewBox={`0 0 ${buckets.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {buckets.map((bucket, n) => (
          <Bar key={bucket.timestamp} bucket={bucket} x={n * WIDTH} most={Math.max(1, most)} open={open} />
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

function Bar({ bucket, x, most, open }: { bucket: Bucket; x: number; most: number; open: Props['open'] }) {
  let bottom = HEIGHT;
  return (
    <g class={open ? 'bar-link' : ''} onClick={() => open?.(bucket)}>
      <title>{`${exact(bucket.timestamp)}: ${bucket.fault} faults of ${bucket.total}`}</title>
      <rect x={x} y={0} width={WIDTH - GAP} height={HEIGHT} fill="transparent" />
      {KINDS.map(([kind, tone]) => {
        const height = (bucket[kind] / most) * HEIGHT;
        bottom -= height;
        return <rect key={kind} class={`tone-${tone}`} x={x} y={bottom} width={WIDTH - GAP} height={height} />;
      })}
    </g>
  );
}
