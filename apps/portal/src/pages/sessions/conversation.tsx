import { useState } from 'preact/hooks';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Blocks } from '../../parts/blocks.js';
import { CorrectionDialog } from '../../parts/correction.js';
import { Loading, Problem } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Messages } from '../../parts/messages.js';
import { Time } from '../../parts/time.js';
import { count, duration, money } from '../../rules/formats.js';
import type { Turn } from '../../rules/turns.js';

const PAGE = 20;
/** Estimated height in pixels of a page of turns before it is drawn. */
const GUESS = PAGE * 180;
const DRAWN_MS = 150;

/** Turns in ascending order of time. */
export interface TurnSource {
  name: readonly unknown[];
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<{ turns: Turn[]; total: number }>;
}

export function Conversation({ source }: { source: TurnSource }) {
  const first = useTurns(source, 0);
  const cache = useQueryClient();
  if (first.error && !first.data) return <Problem error={first.error} retry={() => void first.refetch()} />;
  if (!first.data) return <Loading />;
  const { total } = first.data;
  const pages = Math.ceil(total / PAGE);
  const toEnd = async (): Promise<void> => {
    const end = pages - 1;
    await cache.prefetchQuery({ ...turnsQuery(source, end), staleTime: Infinity });
    // The block is drawn when it comes near, and then differs from its estimated height.
    const scroll = (): void => document.querySelector('.blocks > :last-child')?.scrollIntoView({ block: 'end' });
    scroll();
    setTimeout(scroll, DRAWN_MS);
  };
  if (total === 0) return <p class="soft">Nothing was said yet, or the texts were deleted.</p>;
  return (
    <section class="stack" aria-label="Conversation">
      <div class="list-head">
        <span class="soft" role="status">
          {count(total)} {total === 1 ? 'turn' : 'turns'}
        </span>
        {pages > 1 && <button onClick={() => void toEnd()}>Go to the end</button>}
      </div>
      <Blocks count={pages} guess={GUESS}>
        {(page) => <Turns source={source} page={page} />}
      </Blocks>
    </section>
  );
}

const turnsQuery = ({ name, load }: TurnSource, page: number) => ({
  queryKey: [...name, page],
  queryFn: ({ signal }: { signal: AbortSignal }) => load(page * PAGE, PAGE, signal),
});
const useTurns = (source: TurnSource, page: number) =>
  useQuery({ ...turnsQuery(source, page), refetchOnWindowFocus: false });

function Turns({ source, page }: { source: TurnSource; page: number }) {
  const { data, error, refetch } = useTurns(source, page);
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  return (
    <div class="turns" style={data ? {} : { minHeight: `${GUESS}px` }}>
      {data ? data.turns.map((turn) => <OneTurn turn={turn} source={source} key={turn.id} />) : <Loading />}
    </div>
  );
}

function OneTurn({ turn, source }: { turn: Turn; source: TurnSource }) {
  const { can } = usePortal();
  const cache = useQueryClient();
  const [isCorrecting, setIsCorrecting] = useState(false);
  const { request, corrections } = turn;
  return (
    <article class="turn">
      <div class="turn-head soft">
        <Lamp state={turn.state} failureClass={turn.failureClass} />
        <Time at={turn.at} />
        <span>{duration(turn.durationMs)}</span>
        <span>{money(turn.cost)}</span>
        {turn.links.map(({ title, path }) => (
          <Link href={path} key={path}>
            {title} {path.split('/').pop()?.slice(0, 8)}
          </Link>
        ))}
        {request?.response != null && (
          <button class="plain" aria-disabled={!can('write')} onClick={() => can('write') && setIsCorrecting(true)}>
            {corrections.length > 0 ? 'Change the correction' : 'Correct'}
          </button>
        )}
      </div>
      <Messages messages={turn.said} />
      {corrections.length > 0 && (
        <div class="correction">
          <small class="soft">should have answered</small>
          <Messages messages={corrections} />
        </div>
      )}
      {isCorrecting && request && (
        <CorrectionDialog
          request={request}
          done={() => void cache.invalidateQueries({ queryKey: source.name })}
          close={() => setIsCorrecting(false)}
        />
      )}
    </article>
  );
}
