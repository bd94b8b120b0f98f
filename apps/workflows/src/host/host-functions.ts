import { Injectable } from '@nestjs/common';
import { AgentCalls } from './agent-calls.js';
import { ArtifactCalls } from './artifact-calls.js';
import { ChildRuns } from './child-runs.js';
import type { HostMember } from './host-call.js';
import { HttpCalls } from './http-calls.js';
import { KeptSteps } from './kept-steps.js';
import { ModelCalls } from './model-calls.js';
import { ModelStreams } from './model-streams.js';
import { SecretReads } from './secret-reads.js';

const SELF_RECORDED = [
  'chat.completions.create',
  'chat.completions.stream',
  'chat.completions.read',
  'chat.completions.close',
  'workflows.execute',
  'step.begin',
  'step.end',
];

@Injectable()
export class HostFunctions {
  private readonly members: ReadonlyMap<string, HostMember>;

  constructor(
    models: ModelCalls,
    streams: ModelStreams,
    agents: AgentCalls,
    children: ChildRuns,
    http: HttpCalls,
    secrets: SecretReads,
    steps: KeptSteps,
    artifacts: ArtifactCalls,
  ) {
    this.members = new Map<string, HostMember>([
      ['chat.completions.create', models],
      ['chat.completions.stream', { call: (context, args) => streams.begin(context, args) }],
      ['chat.completions.read', { call: (context, args) => streams.read(context, args) }],
      ['chat.completions.close', { call: (context, args) => streams.close(context, args) }],
      ['agents.invoke', agents],
      ['workflows.execute', children],
      ['http.fetch', http],
      ['secrets.get', secrets],
      ['artifacts.get', { call: (context, args, details, admit) => artifacts.get(context, args, details, admit) }],
      ['artifacts.put', { call: (context, args, details) => artifacts.put(context, args, details) }],
      ['step.begin', { call: (context, args) => steps.begin(context, args) }],
      ['step.end', { call: (context, args, details) => steps.end(context, args, details) }],
    ]);
  }

  find(member: string): HostMember | undefined {
    return this.members.get(member);
  }

  writesOwnTimeline(member: string): boolean {
    return SELF_RECORDED.includes(member);
  }
}
