import {
  agentVersions,
  Default,
  field,
  INCREMENTS,
  monitorVersions,
  OneOf,
  Str,
  versionWord,
  workflowVersions,
} from '@signalbox/contracts';
import { type Tool, tool } from '../tool.js';
import { NamedRelease, Versioned } from './inputs.js';

class Moved extends NamedRelease {
  @field(versionWord) version!: string;
}
class Published extends Versioned {
  @OneOf(INCREMENTS) @Default('minor') increment!: string;
  @Str(0, 2000) @Default('') version_notes!: string;
}

type Endpoints = Pick<(typeof agentVersions)['endpoints'], 'checkRelease' | 'publishVersion' | 'updateRelease'>;

const FAMILIES: Record<Versioned['kind'], { endpoints: Endpoints; id: string; bump: string }> = {
  agent: { endpoints: agentVersions.endpoints, id: 'agent_id', bump: 'increment' },
  workflow: { endpoints: workflowVersions.endpoints as unknown as Endpoints, id: 'workflow_id', bump: 'bump_type' },
  monitor: { endpoints: monitorVersions.endpoints as unknown as Endpoints, id: 'monitor_id', bump: 'increment' },
};

const named = ({ kind, id, release }: NamedRelease): string => `${kind} ${id} release ${release}`;

export const checkRelease: Tool = tool({
  name: 'check_release',
  description: 'Whether the gate of a release lets a version pass, and why not. Moves nothing.',
  scope: 'read',
  input: Moved,
  target: named,
  async run({ kind, id, release, version }, calls) {
    const { endpoints, id: name } = FAMILIES[kind];
    const result = await calls.call(endpoints.checkRelease, { [name]: id, release_name: release, version });
    const says = [result.passed ? 'The gate lets the version pass' : 'The gate refuses the version'];
    const data = { source: 'gate', text: JSON.stringify(result), more: () => 'read_api on the test run' };
    return { says, data };
  },
});

export const publish: Tool = tool({
  name: 'publish',
  description: 'Freeze the draft of an agent, workflow or monitor into a new version.',
  scope: 'write',
  input: Published,
  target: ({ kind, id }) => `${kind} ${id}`,
  async run({ kind, id, increment, version_notes }, calls) {
    const { endpoints, id: name, bump } = FAMILIES[kind];
    const input = { [name]: id, [bump]: increment, version_notes };
    const version = await calls.call(endpoints.publishVersion, input);
    const data = { source: 'version', text: JSON.stringify(version), more: () => 'read_api on the version' };
    return { says: ['Published'], data };
  },
});

export const moveRelease: Tool = tool({
  name: 'move_release',
  description: 'Point a release to a version, through its gate. A gate is never overridden here.',
  scope: 'write',
  input: Moved,
  target: (moved) => `${named(moved)} to ${moved.version}`,
  async run({ kind, id, release, version }, calls) {
    const { endpoints, id: name } = FAMILIES[kind];
    const moved = await calls.call(endpoints.updateRelease, { [name]: id, release_name: release, version });
    const data = { source: 'release', text: JSON.stringify(moved), more: () => 'read_api on the release' };
    return { says: ['Moved'], data };
  },
});
