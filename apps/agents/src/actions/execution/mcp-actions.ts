import { Injectable } from '@nestjs/common';
import { cutText } from '@signalbox/runs';
import { failureOf, McpCalls, McpServers, ToolDriftedError } from '../../mcp-servers/index.js';
import type { ActionCall } from './action-call.js';
import { type ActionResult, failed, success } from './action-outcome.js';

const MAX_ERROR_TEXT = 2048;

@Injectable()
export class McpActions {
  constructor(
    private readonly calls: McpCalls,
    private readonly servers: McpServers,
  ) {}

  /**
   * A tool that does not declare that it may be repeated is called at most once: a call whose outcome was lost with its
   * process is a failure that the model reads.
   */
  async run(call: ActionCall): Promise<ActionResult> {
    const { mcp } = call.action;
    if (!mcp) return failed('internal', 'the tool has no server');
    if (call.wasBegun && !mcp.tool.is_repeatable)
      return failed('internal', 'the call was interrupted, may have had its effect and is not repeated', {
        error_code: 'interrupted',
      });
    try {
      return await this.ask(call, mcp);
    } catch (error) {
      if (error instanceof ToolDriftedError) await this.recordDrift(call.companyId, mcp, error);
      const failure = failureOf(error);
      if (!failure) throw error;
      const { failure_class, error_code, message } = failure;
      return failed(failure_class, message, {
        ...(error_code ? { error_code } : {}),
        ...(failure_class === 'timeout' ? { status: 'TIMEOUT' as const } : {}),
      });
    }
  }

  private async ask(call: ActionCall, { server, tool }: NonNullable<ActionCall['action']['mcp']>) {
    const { companyId, secrets, signal } = call;
    const { output, isError } = await this.calls.call({
      ...{ companyId, server, secrets, signal },
      ...{ tool: tool.name, schema_hash: tool.schema_hash, arguments: call.arguments },
      begins: async () => {
        if (!tool.is_repeatable) await call.begins?.();
      },
    });
    if (!isError) return success(output);
    return failed('provider', 'the tool reports an error', {
      output: typeof output === 'string' ? cutText(output, MAX_ERROR_TEXT) : output,
    });
  }

  private async recordDrift(
    companyId: number,
    { server, tool }: NonNullable<ActionCall['action']['mcp']>,
    { found }: ToolDriftedError,
  ): Promise<void> {
    await this.servers.recordDrift(companyId, server.id, { tool: tool.name, schema_hash: found, at: Date.now() });
  }
}
