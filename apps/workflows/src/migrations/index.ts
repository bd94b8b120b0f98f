import type { Migration } from '@signalbox/database';
import { Workflows1700000008000 } from './1700000008000-workflows.js';
import { Runs1700000008100 } from './1700000008100-runs.js';
import { Artifacts1700000008200 } from './1700000008200-artifacts.js';
import { ArtifactParts1700000008300 } from './1700000008300-artifact-parts.js';
import { RunLists1700000008400 } from './1700000008400-run-lists.js';
import { DeletedGates1700000008450 } from './1700000008450-deleted-gates.js';
import { RunChains1700000008520 } from './1700000008520-run-chains.js';
import { TransformErrors1700000008530 } from './1700000008530-transform-errors.js';
import { ObjectDeletions1700000008580 } from './1700000008580-object-deletions.js';
import { ArtifactsOfEndedRuns1700000008581 } from './1700000008581-artifacts-of-ended-runs.js';
import { McpReleases1700000009202 } from './1700000009202-mcp-releases.js';
import { McpReleasesIndex1700000009212 } from './1700000009212-mcp-releases-index.js';
import { ArtifactsOfWorkflow1700000009540 } from './1700000009540-artifacts-of-workflow.js';
import { RunSorts1700000009573 } from './1700000009573-run-sorts.js';
import { RunsOfVersion1700000009621 } from './1700000009621-runs-of-version.js';
import { FirstMessages1700000009663 } from './1700000009663-first-messages.js';
import { RunSpans1700000009664 } from './1700000009664-run-spans.js';
import { RunEndSorts1700000009689 } from './1700000009689-run-end-sorts.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'workflows',
  migrations: [
    Workflows1700000008000,
    Runs1700000008100,
    Artifacts1700000008200,
    ArtifactParts1700000008300,
    RunLists1700000008400,
    DeletedGates1700000008450,
    RunChains1700000008520,
    TransformErrors1700000008530,
    ObjectDeletions1700000008580,
    ArtifactsOfEndedRuns1700000008581,
    McpReleases1700000009202,
    McpReleasesIndex1700000009212,
    ArtifactsOfWorkflow1700000009540,
    RunSorts1700000009573,
    RunsOfVersion1700000009621,
    FirstMessages1700000009663,
    RunSpans1700000009664,
    RunEndSorts1700000009689,
  ],
};
