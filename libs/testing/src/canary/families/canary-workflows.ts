import { artifacts, workflowRuns, workflows } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import { eventually } from '../../platform/platform.js';
import type { Secrets } from './canary-agents.js';
import type { CanaryContext } from '../canary-cases.js';
import { CANARY_SCRIPTS } from './canary-scripts.js';
import { receivedBy } from '../canary-target.js';

const api = workflowRuns.endpoints;
type Name = keyof typeof CANARY_SCRIPTS;

interface WorkflowCase {
  name: string;
  workflow: Name;
  mode: 'sync' | 'async' | 'stream';
  ending: string;
  more?: (secrets: Secrets) => object;
}

const said = (secrets: Secrets) => ({ input: { secrets }, metadata: { secrets }, messages: undefined });

const CASES: readonly WorkflowCase[] = [
  { name: 'sync', workflow: 'canary-leaky', mode: 'sync', ending: 'COMPLETED' },
  { name: 'async', workflow: 'canary-leaky', mode: 'async', ending: 'COMPLETED' },
  { name: 'stream', workflow: 'canary-leaky', mode: 'stream', ending: 'COMPLETED' },
  { name: 'said', workflow: 'canary-leaky', mode: 'async', ending: 'COMPLETED', more: said },
  { name: 'failing', workflow: 'canary-failing', mode: 'sync', ending: 'FAILED script_error' },
  { name: 'python', workflow: 'canary-python', mode: 'async', ending: 'COMPLETED' },
];

interface Run {
  id: string;
  status: string;
  error_code: string | null;
  completed_at: number | null;
}

export class CanaryWorkflows {
  readonly surprises: string[] = [];
  private readonly ids = new Map<Name, unknown>();

  constructor(
    private readonly context: CanaryContext,
    private readonly fixtures: ConformanceFixtures,
    private readonly newSecrets: () => Secrets,
  ) {}

  async run(): Promise<void> {
    for (const [name, { language, script }] of Object.entries(CANARY_SCRIPTS)) {
      const nesting = name === 'canary-leaky' ? ['canary-child'] : [];
      const body = {
        workflow_ref_name: name,
        language,
        script,
        allow_inproc_nesting: true,
        inproc_nested_refs: nesting,
      };
      this.ids.set(name as Name, (await this.fixtures.call(workflows.endpoints.createWorkflow, body)).id);
    }
    for (const each of CASES) await this.runCase(each);
  }

  async readLists(): Promise<void> {
    for (const input of [{ include_body: true }, { text: 'secret', include_body: true }])
      await this.context.client.send(api.listAllRuns, { ...input, limit: 100 });
  }

  private async runCase({ name, workflow, mode, ending, more }: WorkflowCase): Promise<void> {
    const secrets = this.newSecrets();
    const id = await this.start(workflow, secrets, { mode, ...more?.(secrets) });
    const run = await this.ended(id);
    if (endingOf(run) !== ending) this.surprises.push(`${name}: ${endingOf(run)}`);
    await this.readRun(run);
  }

  async runUntilKilled(): Promise<void> {
    const { platform, target } = this.context;
    const secrets = this.newSecrets();
    const id = await this.start('canary-hanging', secrets, { mode: 'async' });
    await eventually('the target receives the secrets', () =>
      target.calls.some((call) => receivedBy(call).includes(secrets.TOKEN)),
    );
    await platform.service('workflows').kill('SIGKILL');
    await platform.service('workflows').start();
    const run = await this.ended(id);
    if (endingOf(run) !== 'FAILED secrets_unavailable') this.surprises.push(`killed: ${endingOf(run)}`);
    await this.readRun(run);
  }

  /** In a new session, by which the run is found whatever the reply is. */
  private async start(workflow: Name, secrets: Secrets, more: object): Promise<string> {
    const { client, platform, target } = this.context;
    const session_id = `canary-${this.fixtures.fresh(workflow)}`;
    const params = { url: target.url };
    await client.send(api.executeWorkflow, {
      workflow_id: this.ids.get(workflow),
      params,
      secrets,
      session_id,
      ...more,
    });
    const { rows } = await platform.sql.query<{ id: string }>(
      'SELECT id FROM workflows.runs WHERE session_id = $1 AND parent_run_id IS NULL',
      [session_id],
    );
    return rows[0]?.id ?? '';
  }

  private ended(run_id: string): Promise<Run> {
    return eventually(`run ${run_id} ends`, async () => {
      // A service that restarts refuses calls meanwhile.
      const reply = await this.context.client.send(api.getRun, { run_id, wait_seconds: 5 });
      const { data } = JSON.parse(reply.text) as { data?: Run };
      return data?.completed_at ? data : undefined;
    });
  }

  private async readRun({ id: run_id }: Run): Promise<void> {
    const { client } = this.context;
    await client.send(api.listRunLogs, { run_id, limit: 100 });
    await client.send(api.streamRun, { run_id });
    await client.send(api.listRunTimeline, { run_id, include_children: true, limit: 100 });
    const written = await client.get<{ id: number; workflow_id: number }[]>(artifacts.endpoints.listRunArtifacts, {
      run_id,
    });
    for (const { id: artifact_id, workflow_id } of written)
      await client.send(artifacts.endpoints.getArtifactContent, { workflow_id, artifact_id });
  }
}

const endingOf = ({ status, error_code }: Run): string => [status, error_code].filter(Boolean).join(' ');
