import type { Workflow } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';

export function TargetChoice({
  workflow: { id, latest_version_number },
  chosen,
  choose,
}: {
  workflow: Workflow;
  chosen: string;
  choose: (target: string) => void;
}) {
  const { api } = usePortal();
  const enabled = latest_version_number !== null;
  const versions = useQuery({
    queryKey: ['workflow-versions', id, latest_version_number],
    queryFn: ({ signal }) => api.workflows.listVersions({ workflow_id: id, limit: 100 }, { signal }).all(),
    enabled,
  });
  const releases = useQuery({
    queryKey: ['workflow-releases', id],
    queryFn: ({ signal }) => api.workflows.listReleases({ workflow_id: id, limit: 100 }, { signal }).all(),
    enabled,
  });
  return (
    <select
      aria-label="What is run"
      class="short"
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">draft</option>
      {releases.data?.map(({ name, version_number }) => (
        <option key={name} value={`release:${name}`}>
          {name} ({version_number})
        </option>
      ))}
      {versions.data?.map(({ version_number }) => (
        <option key={version_number} value={`version:${version_number}`}>
          {version_number}
        </option>
      ))}
    </select>
  );
}
