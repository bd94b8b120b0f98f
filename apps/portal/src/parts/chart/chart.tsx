import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { exact } from '../../rules/formats.js';
import { Table } from '../table.js';

export interface ChartLine {
  key: string;
  label: string;
  values: readonly (number | null)[];
}

interface Props {
  title: string;
  times: readonly number[];
  /** At most six. */
  lines: readonly ChartLine[];
  /** `step` is between two labels of the axis. */
  format: (value: number, step?: number) => string;
  isWhole?: boolean;
  /** The page behind a point, or null. */
  pathOf: (line: ChartLine, time: number) => string | null;
}

/** Points are links, by a click or from the table of the same values. */
export function Chart({ title, times, lines, format, isWhole = true, pathOf }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [, go] = useLocation();
  const [at, setAt] = useState<number | null>(null);
  const [isLost, setIsLost] = useState(false);
  const latest = useRef(pathOf);
  latest.current = pathOf;
  const drawn = JSON.stringify([times, lines]);

  useEffect(() => {
    let remove = (): void => undefined;
    let isGone = false;
    const open = (line: number, bucket: number): void => {
      const [of, time] = [lines[line], times[bucket]];
      const path = of && time !== undefined ? latest.current(of, time) : null;
      if (path !== null) go(path);
    };
    import('./plot.js')
      .then(({ drawPlot }) => {
        if (!isGone && box.current)
          remove = drawPlot(box.current, { times, lines, format, isWhole, hover: setAt, open });
      })
      .catch(() => setIsLost(true));
    return () => {
      isGone = true;
      remove();
    };
  }, [drawn]);

  const shown = at ?? times.length - 1;
  return (
    <figure class="chart card">
      <figcaption>
        <b>{title}</b> <span class="soft">{times[shown] === undefined ? '' : exact(times[shown]).slice(0, 16)}</span>
      </figcaption>
      {isLost ? (
        <p class="soft">The chart could not be loaded; the table has its values.</p>
      ) : (
        <div class="plot" ref={box} aria-hidden="true" />
      )}
      <ul class="legend">
        {lines.map(({ key, label, values }, n) => (
          <li key={key}>
            <svg viewBox="0 0 24 8" aria-hidden="true" class={`line-${n + 1}`}>
              <path d="M0 4h24" />
            </svg>
            <span>{label}</span> <b>{words(values[shown], format)}</b>
          </li>
        ))}
      </ul>
      <details>
        <summary>As a table</summary>
        <Table
          label={title}
          columns={['From', ...lines.map(({ label }) => label)]}
          numbers={lines.map(({ label }) => label)}
        >
          {times.map((time, n) => (
            <tr key={time}>
              <td>{exact(time).slice(0, 16)}</td>
              {lines.map((line) => (
                <td key={line.key} class="number">
                  <Value path={line.values[n] == null ? null : pathOf(line, time)}>
                    {words(line.values[n], format)}
                  </Value>
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

const Value = ({ path, children }: { path: string | null; children: string }) =>
  path === null ? (
    <>{children}</>
  ) : (
    <Link class="quiet" href={path}>
      {children}
    </Link>
  );

const words = (value: number | null | undefined, format: Props['format']): string =>
  value == null ? '–' : format(value);
