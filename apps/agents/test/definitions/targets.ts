import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { agents, agentVersions } from '@signalbox/contracts';
import { DatabaseModule } from '@signalbox/database';
import { createLogger, loggerModule } from '@signalbox/platform';
import { ActionRow, Actions } from '../../src/actions/index.js';
import { AgentRow, Agents, Drafts } from '../../src/drafts/index.js';
import { FormFields } from '../../src/form-fields/index.js';
import { McpServerRow, McpServers } from '../../src/mcp-servers/index.js';
import { RoutingRules } from '../../src/routing/index.js';
import { SubAgents } from '../../src/sub-agents/index.js';
import { AgentVersions, DraftParts } from '../../src/versions/index.js';
import { World } from '../world.js';
import { platform, world } from './fixture.js';

let context: INestApplicationContext;
let versions: AgentVersions;
let agentId: number;

/** The rows as the service itself sees them: in its own role, under row-level security. */
function rowsOfTheService(): Promise<INestApplicationContext> {
  const as = (role: string): string =>
    `${platform.servers.postgres.url}?options=${encodeURIComponent(`-c role=${role}`)}`;
  const database = DatabaseModule.forService({
    service: 'agents',
    url: as('svc_agents'),
    workerUrl: as('svc_agents_worker'),
    entities: [AgentRow, ActionRow, McpServerRow],
  });
  class Rows {}
  const module = {
    module: Rows,
    imports: [loggerModule(createLogger('test', 'silent')), database],
    providers: [Drafts, Agents, Actions, SubAgents, RoutingRules, FormFields, DraftParts, McpServers, AgentVersions],
  };
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}

const write = (system_prompt: string) =>
  platform.bus.call(agents.endpoints.updateAgent, { agent_id: agentId, system_prompt }, world.caller());
const release = (name: string, version: string, is_default = false) =>
  platform.bus.call(
    agentVersions.endpoints.createRelease,
    { agent_id: agentId, name, version, is_default },
    world.caller(),
  );

describe('the target of a call', () => {
  beforeAll(async () => {
    context = await rowsOfTheService();
    versions = context.get(AgentVersions);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    agentId = (await world.agent({ system_prompt: 'one' })).id;
  });

  it('is the draft, or the version or release that the call pins', async () => {
    await world.publish(agentId);
    await write('two');
    await release('stable', '1.0.0');
    const resolve = (target: object) => versions.resolve(world.companyId, agentId, target);
    expect(await resolve({})).toMatchObject({ version: null, release: null, snapshot: { system_prompt: 'two' } });
    expect(await resolve({ version: '1.0.0' })).toMatchObject({ release: null, snapshot: { system_prompt: 'one' } });
    expect(await resolve({ release: 'stable' })).toMatchObject({
      version: '1.0.0',
      release: 'stable',
      snapshot: { system_prompt: 'one', actions: [] },
    });
    await expect(resolve({ version: '2.0.0' })).rejects.toMatchObject({ message: 'version not found' });
    await expect(resolve({ release: 'other' })).rejects.toMatchObject({ message: 'release not found' });
  });

  it('of standing traffic is the default release, else the latest version, else the draft', async () => {
    const standing = () => versions.resolveStanding(world.companyId, agentId);
    expect(await standing()).toMatchObject({ version: null, release: null, snapshot: { system_prompt: 'one' } });
    await world.publish(agentId);
    await write('two');
    await world.publish(agentId);
    await release('next', '1.0.0');
    expect(await standing()).toMatchObject({ version: '1.1.0', release: null, snapshot: { system_prompt: 'two' } });
    await release('stable', '1.0.0', true);
    expect(await standing()).toMatchObject({ version: '1.0.0', release: 'stable', snapshot: { system_prompt: 'one' } });
  });

  it('is unknown to another company and once the agent is deleted', async () => {
    await world.publish(agentId);
    const stranger = await World.make(platform);
    const targets = (companyId: number) => [
      versions.resolve(companyId, agentId, {}),
      versions.resolve(companyId, agentId, { version: '1.0.0' }),
      versions.resolve(companyId, agentId, { release: 'x' }),
      versions.resolveStanding(companyId, agentId),
    ];
    const unknown = { status: 'rejected', reason: { status: 404, message: 'agent not found' } };
    for (const outcome of await Promise.allSettled(targets(stranger.companyId))) expect(outcome).toMatchObject(unknown);
    await platform.bus.call(agents.endpoints.deleteAgent, { agent_id: agentId }, world.caller());
    for (const outcome of await Promise.allSettled(targets(world.companyId))) expect(outcome).toMatchObject(unknown);
  });
});
