import type { Migration } from '@signalbox/database';
import { Agents1700000003000 } from './1700000003000-agents.js';
import { Tasks1700000003100 } from './1700000003100-tasks.js';
import { AgentParts1700000003200 } from './1700000003200-agent-parts.js';
import { Hooks1700000003300 } from './1700000003300-hooks.js';
import { UnboundAgents1700000003400 } from './1700000003400-unbound-agents.js';
import { LinkedReleaseMoves1700000003500 } from './1700000003500-linked-release-moves.js';
import { TasksOfCompany1700000003600 } from './1700000003600-tasks-of-company.js';
import { SecretTransfer1700000003700 } from './1700000003700-secret-transfer.js';
import { DraftSizes1700000003900 } from './1700000003900-draft-sizes.js';
import { TaskTriggers1700000004000 } from './1700000004000-task-triggers.js';
import { TaskRetention1700000004100 } from './1700000004100-task-retention.js';
import { SessionRetention1700000004200 } from './1700000004200-session-retention.js';
import { DeletedGates1700000004250 } from './1700000004250-deleted-gates.js';
import { TaskChains1700000004320 } from './1700000004320-task-chains.js';
import { OpenTasks1700000004380 } from './1700000004380-open-tasks.js';
import { McpTrigger1700000009200 } from './1700000009200-mcp-trigger.js';
import { McpReleases1700000009201 } from './1700000009201-mcp-releases.js';
import { McpReleasesIndex1700000009211 } from './1700000009211-mcp-releases-index.js';
import { ExternalAgents1700000009299 } from './1700000009299-external-agents.js';
import { McpServers1700000009510 } from './1700000009510-mcp-servers.js';
import { TaskLists1700000009571 } from './1700000009571-task-lists.js';
import { TasksOfVersion1700000009620 } from './1700000009620-tasks-of-version.js';
import { FirstMessages1700000009661 } from './1700000009661-first-messages.js';
import { TaskSpans1700000009662 } from './1700000009662-task-spans.js';
import { ModelsOfVersions1700000009665 } from './1700000009665-models-of-versions.js';
import { TaskEndSorts1700000009690 } from './1700000009690-task-end-sorts.js';

/** The schema of the service with its migrations, in the order in which they were added. */
export const schema: Migration = {
  service: 'agents',
  migrations: [
    Agents1700000003000,
    Tasks1700000003100,
    AgentParts1700000003200,
    Hooks1700000003300,
    UnboundAgents1700000003400,
    LinkedReleaseMoves1700000003500,
    TasksOfCompany1700000003600,
    SecretTransfer1700000003700,
    DraftSizes1700000003900,
    TaskTriggers1700000004000,
    TaskRetention1700000004100,
    SessionRetention1700000004200,
    DeletedGates1700000004250,
    TaskChains1700000004320,
    OpenTasks1700000004380,
    McpTrigger1700000009200,
    McpReleases1700000009201,
    McpReleasesIndex1700000009211,
    ExternalAgents1700000009299,
    McpServers1700000009510,
    TaskLists1700000009571,
    TasksOfVersion1700000009620,
    FirstMessages1700000009661,
    TaskSpans1700000009662,
    ModelsOfVersions1700000009665,
    TaskEndSorts1700000009690,
  ],
};
