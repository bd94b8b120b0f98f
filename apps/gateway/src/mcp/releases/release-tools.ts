import type { CallToolResult } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { agentVersions, type Caller, invalidField, tasks, workflowRuns, workflowVersions } from '@signalbox/contracts';
import { MAX_RESULT_BYTES, resultOf } from '../answer.js';
import type { ListedTool } from '../listed-tool.js';
import type { PlatformCalls } from '../platform-calls.js';
import { listedSchema } from '../schemas.js';
import type { PreparedCall, ToolCalls } from '../tool-calls.js';
import { findRun, type FoundRun, runAnswer } from '../tools/index.js';
import {
  agentInput,
  agentOutput,
  INPUT,
  MESSAGE,
  takesInputItself,
  workflowInput,
  workflowOutput,
} from './release-schemas.js';
import { type KindOfRelease, toolNames } from './tool-names.js';

const WAIT_SECONDS = 45;
const DESCRIPTION_LENGTH = 1000;

type Args = Record<string, unknown>;

/** Lists the releases marked as tools; a call runs the version that the release points to then. */
@Injectable()
export class ReleaseTools {
  constructor(private readonly bus: BusClient) {}

  async of(caller: Caller, calls: ToolCalls): Promise<ListedTool[]> {
    const [agents, workflows] = await Promise.all([
      this.bus.call(agentVersions.endpoints.listMcpReleases, {}, caller),
      this.bus.call(workflowVersions.endpoints.listMcpReleases, {}, caller),
    ]);
    const releases: KindOfRelease[] = [
      ...agents.map((release) => ({ ...release, kind: 'agent' as const })),
      ...workflows.map((release) => ({ ...release, kind: 'workflow' as const })),
    ];
    return [...toolNames(releases)].map(([name, release]) => toolOf(name, release, calls));
  }
}

function toolOf(name: string, release: KindOfRelease, calls: ToolCalls): ListedTool {
  const { kind, parent_name, description, parent_id } = release;
  const [input, output] =
    kind === 'agent' ? [agentInput(release), agentOutput(release)] : [workflowInput(release), workflowOutput(release)];
  const start = kind === 'agent' ? agentCall : workflowCall;
  return {
    name,
    description: (description || `The ${kind} ${parent_name}`).slice(0, DESCRIPTION_LENGTH),
    input: listedSchema(input),
    ...(output ? { output: listedSchema(output) } : {}),
    readOnly: false,
    call: (args) =>
      calls.run(name, (): PreparedCall => {
        const started = start(release, args);
        const carryOut = async (): Promise<CallToolResult> => {
          const id = await started(calls.platform);
          return resultWith(await findRun(calls.platform, id, WAIT_SECONDS), output !== null);
        };
        return { target: `${kind} ${parent_id} release ${release.release}`, carryOut };
      }),
  };
}

type Start = (platform: PlatformCalls) => Promise<string>;

/** Throws 400 without a message, and for arguments that are not form fields. */
function agentCall(release: KindOfRelease, args: Args): Start {
  const keys = new Set(((release.input ?? []) as { field_key: string }[]).map(({ field_key }) => field_key));
  const unknown = Object.keys(args).find((name) => name !== MESSAGE && !keys.has(name));
  if (unknown !== undefined) throw invalidField(unknown.slice(0, 200), 'is not a form field of the agent');
  const message = args[MESSAGE];
  if (typeof message !== 'string' || message === '') throw invalidField(MESSAGE, 'is required');
  const state = Object.fromEntries(Object.entries(args).filter(([name]) => keys.has(name)));
  const input = { agent_id: release.parent_id, release: release.release, message, state, wait: false };
  return async (platform) => (await platform.call(tasks.endpoints.invokeAgent, input)).task_id;
}

function workflowCall(release: KindOfRelease, args: Args): Start {
  const given = takesInputItself(release) ? args : args[INPUT];
  const pinned = { workflow_id: release.parent_id, release: release.release, mode: 'async' };
  return async (platform) =>
    (await platform.call(workflowRuns.endpoints.executeWorkflow, { ...pinned, input: given })).run_id ?? '';
}

/** Structured content cannot be cut: where the result would be too long, its text goes, else the call fails. */
function resultWith(found: FoundRun, isStructured: boolean): CallToolResult {
  const { kind, run, ended } = found;
  if (kind === 'test_run') throw new Error('a release starts no test runs');
  const isDone = ended && run.status === 'COMPLETED';
  if (!isDone) return { ...resultOf(runAnswer(found)), isError: ended || isStructured };
  const output = kind === 'task' ? (run.structured_output ?? run.output?.content ?? null) : run.output;
  const source = `${kind} ${run.id}`;
  const more = (): string => `get_run with id "${run.id}" at /mcp`;
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
  const result = resultOf({ says: [], data: { source, text, more } });
  if (!isStructured) return result;
  const whole = { ...result, structuredContent: output as Args };
  if (bytesOf(whole) <= MAX_RESULT_BYTES) return whole;
  const brief = {
    content: [{ type: 'text' as const, text: `${source} has a long output` }],
    structuredContent: output,
  };
  if (bytesOf(brief) <= MAX_RESULT_BYTES) return brief as CallToolResult;
  return { ...result, isError: true };
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
