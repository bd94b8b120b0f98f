import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { exact } from '../rules/formats.js';
import type { LiveRun, RunLine } from '../rules/live-run.js';

const SHOWN = 2000;
/** Pixels from the end within which a log follows new lines. */
const NEAR = 40;

export function RunLog({ seen }: { seen: LiveRun }) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const { lines, dropped, startedAt } = seen;
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <div
      class="log"
      role="log"
      aria-label="Logs and events"
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
        (follows.current = scrollHeight - scrollTop - clientHeight < NEAR)
      }
    >
      {dropped > 0 && <p class="soft">{dropped.toLocaleString('en-US')} earlier lines are not shown.</p>}
      {lines.map((line) => (
        <Line key={line.seq} line={line} startedAt={startedAt ?? line.at} />
      ))}
    </div>
  );
}

function Line({ line: { kind, text, at, childRunId }, startedAt }: { line: RunLine; startedAt: number }) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = text.length > SHOWN && !isWhole;
  return (
    <div class={`line ${kind}`}>
      <time title={exact(at)}>{((at - startedAt) / 1000).toFixed(2)} s</time>
      <span class="kind">{kind}</span>
      <span class="said">
        {isCut ? `${text.slice(0, SHOWN)}…` : text}{' '}
        {isCut && (
          <button class="plain" onClick={() => setIsWhole(true)}>
            Show all {text.length.toLocaleString('en-US')} characters
          </button>
        )}
        {childRunId !== undefined && <Link href={`/runs/workflow/${childRunId}`}>Open its run</Link>}
      </span>
    </div>
  );
}
