import type { GatePolicy, GateResult, Release, ReleaseMove, Signalbox, VersionDiff } from '@signalbox/sdk';
import { startTestRun } from './test-runs.js';

export type ParentType = 'agent' | 'workflow' | 'monitor';

export interface Version {
  version: string;
  notes: string;
  date_created: number;
}

export interface ReleaseChange {
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

/** The versions and releases of an agent, a workflow or a monitor behind one interface. */
export interface ReleasesOf {
  versions: (signal: AbortSignal) => Promise<Version[]>;
  diff: (from: string, to: string, signal: AbortSignal) => Promise<VersionDiff>;
  check: (name: string, version: string, signal: AbortSignal) => Promise<GateResult>;
  create: (name: string, version: string) => Promise<Release>;
  update: (name: string, change: ReleaseChange) => Promise<Release>;
  remove: (name: string) => Promise<unknown>;
  moves: (name: string, signal: AbortSignal) => Promise<ReleaseMove[]>;
  /** The test run or monitor check that a gate asks for. */
  test: (version: string, testSetId: number) => Promise<Tested>;
}

export interface Tested {
  /** Null when it has ended and its verdicts are there. */
  left: (signal: AbortSignal) => Promise<{ done: number; total: number } | null>;
}

const LISTED = { limit: 20 };
/** All of them: a release may be on an old one. */
const VERSIONS = { limit: 100 };

export function releasesOf(api: Signalbox, type: ParentType, id: number): ReleasesOf {
  if (type === 'agent') return ofAgent(api, id);
  return type === 'workflow' ? ofWorkflow(api, id) : ofMonitor(api, id);
}

function ofAgent(api: Signalbox, agent_id: number): ReleasesOf {
  const family = api.agents;
  return {
    versions: async (signal) =>
      (await family.listVersions({ agent_id, ...VERSIONS }, { signal }).all()).map(({ date_created, ...rest }) => ({
        ...rest,
        // The versions of agents are dated in seconds.
        date_created: date_created * 1000,
      })),
    diff: (from, to, signal) => family.diffVersions({ agent_id, from, to }, { signal }),
    check: (release_name, version, signal) => family.checkRelease({ agent_id, release_name, version }, { signal }),
    create: (name, version) => family.createRelease({ agent_id, name, version }),
    update: (release_name, change) => family.updateRelease({ agent_id, release_name, ...change }),
    remove: (release_name) => family.deleteRelease({ agent_id, release_name }),
    moves: async (release_name, signal) =>
      (await family.listReleaseMoves({ agent_id, release_name, ...LISTED }, { signal })).data,
    test: async (version, test_set_id) => {
      const { kind } = await family.get({ agent_id });
      if (kind === 'EXTERNAL')
        throw new Error('It runs elsewhere: run the test set against its address, from the page of the set.');
      return testRun(api, { test_set_id, consumer_kind: 'AGENT', consumer_config: { agent_id, version } });
    },
  };
}

function ofWorkflow(api: Signalbox, workflow_id: number): ReleasesOf {
  const family = api.workflows;
  return {
    versions: async (signal) =>
      (await family.listVersions({ workflow_id, ...VERSIONS }, { signal }).all()).map(numbered),
    diff: (from, to, signal) => family.diffVersions({ workflow_id, from, to }, { signal }),
    check: (release_name, version, signal) => family.checkRelease({ workflow_id, release_name, version }, { signal }),
    create: (name, version) => family.createRelease({ workflow_id, name, version }),
    update: (release_name, change) => family.updateRelease({ workflow_id, release_name, ...change }),
    remove: (release_name) => family.deleteRelease({ workflow_id, release_name }),
    moves: async (release_name, signal) =>
      (await family.listReleaseMoves({ workflow_id, release_name, ...LISTED }, { signal })).data,
    test: (version, test_set_id) =>
      testRun(api, { test_set_id, consumer_kind: 'WORKFLOW', consumer_config: { workflow_id, version } }),
  };
}

function ofMonitor(api: Signalbox, monitor_id: number): ReleasesOf {
  const family = api.monitors;
  return {
    versions: async (signal) =>
      (await family.listVersions({ monitor_id, ...VERSIONS }, { signal }).all()).map(numbered),
    diff: (from, to, signal) => family.diffVersions({ monitor_id, from, to }, { signal }),
    check: (release_name, version, signal) => family.checkRelease({ monitor_id, release_name, version }, { signal }),
    create: (name, version) => family.createRelease({ monitor_id, name, version }),
    update: (release_name, change) => family.updateRelease({ monitor_id, release_name, ...change }),
    remove: (release_name) => family.deleteRelease({ monitor_id, release_name }),
    moves: async (release_name, signal) =>
      (await family.listReleaseMoves({ monitor_id, release_name, ...LISTED }, { signal })).data,
    test: async (version, test_set_id) => {
      const { id } = await family.createCheck({ monitor_id, version, test_set_id });
      return {
        left: async (signal) => {
          const { status, matched, mismatched, error_count, total } = await family.getCheck(
            { monitor_id, check_id: id },
            { signal },
          );
          return status === 'COMPLETED' ? null : { done: matched + mismatched + error_count, total };
        },
      };
    },
  };
}

const numbered = ({
  version_number,
  version_notes,
  date_created,
}: {
  version_number: string;
  version_notes: string;
  date_created: number;
}): Version => ({ version: version_number, notes: version_notes, date_created });

type TestRunFields = Parameters<Signalbox['testRuns']['create']>[0];

async function testRun(api: Signalbox, fields: TestRunFields): Promise<Tested> {
  const id = await startTestRun(api, fields);
  return {
    left: async (signal) => {
      const run = await api.testRuns.get({ id }, { signal });
      const { status, scored_at, completed_items, failed_items, total_items } = run;
      const isOver = status === 'COMPLETED' && scored_at !== null;
      return isOver ? null : { done: completed_items + failed_items, total: total_items };
    },
  };
}
