import { useState } from 'preact/hooks';
import { useQuery } from '@tanstack/preact-query';
import type { ReleaseOverview } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { type ParentType, type ReleasesOf, releasesOf, type Version } from '../../api/releases.js';
import { Empty } from '../../parts/empty.js';
import { useLostFocus } from '../../parts/focus.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { shownVersions, type Standing, standingWords } from '../../rules/gate-words.js';
import { Gate } from './gate.js';
import { History } from './history.js';
import { Move } from './move.js';
import { NewRelease } from './new-release.js';
import { ReleaseActions } from './release-actions.js';

const NEWEST = 4;
const PAGES: Record<ParentType, string> = { agent: '/agents', workflow: '/workflows', monitor: '/monitors' };

type Opened =
  { kind: 'move'; release: ReleaseOverview; version: string } | { kind: 'gate' | 'history'; release: ReleaseOverview };

export function ReleaseBoard() {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  return (
    <div class="page">
      <div class="head">
        <h1>Releases</h1>
        <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New release
        </button>
      </div>
      <Loaded
        name={['releases']}
        load={(signal) => api.releases.listAll({ limit: 100, sort: 'id' }, { signal })}
        pollMs={10_000}
      >
        {({ data, pagination: { total } }, reload) => (
          <>
            {data.length === 0 ? (
              <Empty title="Nothing is released yet. Publish a version first, then make a release of it.">
                <Link href="/agents">Agents</Link>
              </Empty>
            ) : (
              [...byParent(data)].map(([key, releases]) => <Card key={key} releases={releases} moved={reload} />)
            )}
            {total > data.length && (
              <p class="soft">
                {data.length} of {total} releases are shown; the others are on the pages of their agents and workflows.
              </p>
            )}
            {isNew && <NewRelease close={() => setIsNew(false)} made={reload} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

function byParent(releases: ReleaseOverview[]): Map<string, ReleaseOverview[]> {
  const found = new Map<string, ReleaseOverview[]>();
  for (const release of releases) {
    const key = `${release.parent_type}/${release.parent_id}`;
    found.set(key, [...(found.get(key) ?? []), release]);
  }
  return found;
}

export function Card({ releases, moved }: { releases: ReleaseOverview[]; moved: () => void }) {
  const { api } = usePortal();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [first] = releases;
  if (!first) return null;
  const { parent_type, parent_id, parent_name } = first;
  const calls = releasesOf(api, parent_type, parent_id);
  const close = (): void => setOpened(null);
  return (
    <section class="card" aria-label={parent_name}>
      <div class="head">
        <h2>
          <Link href={`${PAGES[parent_type]}/${parent_id}`}>{parent_name}</Link>
        </h2>
        <span class="soft">{parent_type}</span>
      </div>
      <Loaded name={['versions', parent_type, parent_id]} load={calls.versions}>
        {(versions) => <Grid versions={versions} releases={releases} calls={calls} open={setOpened} changed={moved} />}
      </Loaded>
      {opened?.kind === 'move' && <Move {...opened} calls={calls} close={close} moved={moved} />}
      {opened?.kind === 'gate' && <Gate release={opened.release} calls={calls} close={close} changed={moved} />}
      {opened?.kind === 'history' && (
        <History
          release={opened.release}
          calls={calls}
          close={close}
          moveBack={(version) => setOpened({ kind: 'move', release: opened.release, version })}
        />
      )}
    </section>
  );
}

function Grid({
  versions,
  releases,
  calls,
  open,
  changed,
}: {
  versions: Version[];
  releases: ReleaseOverview[];
  calls: ReleasesOf;
  open: (opened: Opened) => void;
  changed: () => void;
}) {
  const shown = shownVersions(
    versions,
    releases.map(({ version_number }) => version_number),
    NEWEST,
  );
  return (
    <Table
      label={`Versions of ${releases[0]?.parent_name}`}
      columns={['Version', ...releases.map(({ name, is_default }) => (is_default ? `${name} (default)` : name))]}
    >
      {shown.map(({ version, notes, date_created }) => (
        <tr key={version}>
          <td>
            <b>{version}</b> <Time at={date_created} />
            {notes && <p class="soft">{notes}</p>}
          </td>
          {releases.map((release) => (
            <td key={release.name}>
              <Cell
                release={release}
                version={version}
                calls={calls}
                move={() => open({ kind: 'move', release, version })}
              />
            </td>
          ))}
        </tr>
      ))}
      <tr>
        <td />
        {releases.map((release) => (
          <td key={release.name}>
            <button class="plain" onClick={() => open({ kind: 'gate', release })}>
              {release.gate_policy ? 'Gate' : 'No gate'}
              <span class="visually-hidden"> of {release.name}</span>
            </button>
            <button class="plain" onClick={() => open({ kind: 'history', release })}>
              History<span class="visually-hidden"> of {release.name}</span>
            </button>
            <ReleaseActions release={release} calls={calls} changed={changed} />
          </td>
        ))}
      </tr>
    </Table>
  );
}

function Cell({
  release,
  version,
  calls,
  move,
}: {
  release: ReleaseOverview;
  version: string;
  calls: ReleasesOf;
  move: () => void;
}) {
  const { can } = usePortal();
  const isHere = release.version_number === version;
  const { data } = useQuery({
    queryKey: ['gate', release.parent_type, release.parent_id, release.name, version],
    queryFn: ({ signal }) => calls.check(release.name, version, signal),
    enabled: !isHere && release.gate_policy !== null,
    staleTime: 30_000,
  });
  const standing: Standing = isHere
    ? { kind: 'here' }
    : release.gate_policy === null
      ? { kind: 'free' }
      : data
        ? { kind: 'checked', result: data }
        : { kind: 'checking' };
  const { state, reason } = standingWords(standing);
  // A move removes its button, which had the focus.
  const lamp = useLostFocus<HTMLSpanElement>(isHere);
  return (
    <>
      <span ref={lamp} tabIndex={-1}>
        <Lamp state={state} />
      </span>{' '}
      {!isHere && can('write') && (
        <button onClick={move}>
          Move<span class="visually-hidden">{` ${release.name} to ${version}`}</span>
        </button>
      )}
      {reason && <p class="soft">{reason}</p>}
    </>
  );
}
