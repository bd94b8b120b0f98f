import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  agentLinks,
  type Caller,
  type FlattenVariant,
  type ItemSource,
  requests,
  tasks,
  workflowRuns,
} from '@signalbox/contracts';
import { contentOfRequest, contentOfRun, contentOfTask, type ImportedContent } from './import-source.js';

export interface Source {
  source_type: Exclude<ItemSource, 'MANUAL'>;
  source_id: string;
  flatten_variant?: FlattenVariant;
  use_correction?: boolean;
}

@Injectable()
export class ImportSources {
  constructor(private readonly bus: BusClient) {}

  /** 404 for an unknown source, 409 for one that cannot become an item. */
  read(source: Source, caller: Caller): Promise<ImportedContent> {
    if (source.source_type === 'REQUEST') return this.request(source, caller);
    return source.source_type === 'WORKFLOW_RUN' ? this.run(source, caller) : this.task(source, caller);
  }

  private async request({ source_id, use_correction = true }: Source, caller: Caller): Promise<ImportedContent> {
    const request = await this.bus.call(requests.endpoints.getRequest, { request_id: source_id }, caller);
    return contentOfRequest(request, use_correction);
  }

  private async run({ source_id: run_id }: Source, caller: Caller): Promise<ImportedContent> {
    return contentOfRun(await this.bus.call(workflowRuns.endpoints.getRun, { run_id, wait_seconds: 0 }, caller));
  }

  private async task(
    { source_id, flatten_variant = DEFAULT_VARIANT }: Source,
    caller: Caller,
  ): Promise<ImportedContent> {
    const path = { task_id: source_id };
    const task = await this.bus.call(tasks.endpoints.getAnyTask, { ...path, wait_seconds: 0 }, caller);
    if (flatten_variant === DEFAULT_VARIANT) return contentOfTask(task, flatten_variant, null);
    const { system_prompt } = await this.bus.call(agentLinks.endpoints.getTaskSystemPrompt, path, caller);
    return contentOfTask(task, flatten_variant, system_prompt);
  }
}

const DEFAULT_VARIANT: FlattenVariant = 'agent_first_user_message';
