import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, auditLog, EmptyInput } from '@signalbox/contracts';
import { eventually, timeScale } from '@signalbox/testing';
import { McpCallLog } from '../../src/mcp/call-log.js';
import { PlatformCalls } from '../../src/mcp/platform-calls.js';
import { tool } from '../../src/mcp/tool.js';
import { ToolCalls } from '../../src/mcp/tool-calls.js';
import { platform } from './fixture.js';

describe('a tool that uses up its time', () => {
  it('is refused with its own error, and the audit log says so', async () => {
    const own = await platform.company();
    const deadline = Date.now() + 4000 * timeScale();
    const slow = tool({
      name: 'slow',
      description: 'Takes long',
      scope: 'read',
      input: EmptyInput,
      run: async () => {
        await pause(deadline + 10 - Date.now());
        throw new ApiError('timeout', 'it takes long');
      },
    });
    const by = { caller: platform.caller(own.companyId, { deadline }), address: '/mcp', client: 'spec' };
    const used = new PlatformCalls(platform.bus, by.caller, new AbortController().signal);
    const calls = new ToolCalls(by, used, new McpCallLog(platform.bus), () => undefined);
    const { content, isError } = await calls.listed(slow).call({});
    expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringContaining('it takes long') }]]);
    await eventually('the refusal is in the audit log', async () => {
      const query = { offset: 0, limit: 25, sort: 'id', action: ['mcp_call'] } as never;
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(own.companyId));
      return page.data.some(({ after }) => (after as { refused?: string })?.refused === '504 it takes long');
    });
  });
});
