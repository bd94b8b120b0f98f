import { agentManifests, agents, agentVersions, type ApiError } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { platform, world } from './fixture.js';

const { importAgents } = agentManifests.endpoints;

const imported = (actions: number, textBytes: number) =>
  platform.bus.call(
    importAgents,
    {
      application: { ref_name: 'large', name: 'Large' },
      agents: [
        {
          name: 'Large',
          actions: Array.from({ length: actions }, (_, n) => ({
            action_name: `action_${n}`,
            action_type: 'llm' as const,
            action_config: { prompt: 'Answer.' },
            description: 'x'.repeat(textBytes),
            enabled: true,
            meta: { note: 'x'.repeat(textBytes) },
            is_default: false,
            action_result_type: 'gather_info' as const,
            invocation_mode: 'foreground' as const,
          })),
        },
      ],
      on_conflict: 'update',
      prune: false,
    },
    world.caller(),
  );

describe('an agent', () => {
  it('has at most 200 actions', async () => {
    const [made] = (await imported(200, 10)).agents;
    await expect(world.action(made?.id ?? 0, 'one_more')).rejects.toMatchObject({
      status: 409,
      message: 'an agent with all its parts has at most 200 actions',
    });
  });

  it('has at most 1,000 releases', async () => {
    const { id: agent_id } = await world.agent();
    const { id: version_id } = await world.publish(agent_id);
    await platform.sql.query(
      `INSERT INTO agents.agent_releases (company_id, agent_id, name, version_id, is_default)
       SELECT $1, $2, 'r' || n, $3, false FROM generate_series(1, 999) n`,
      [world.companyId, agent_id, version_id],
    );
    const create = (name: string) =>
      platform.bus.call(
        agentVersions.endpoints.createRelease,
        { agent_id, name, version: '1.0.0', is_default: false },
        world.caller(),
      );
    expect(await create('the-last')).toMatchObject({ name: 'the-last' });
    const full = { status: 409, message: 'there are at most 1000 releases' };
    await expect(create('one-more')).rejects.toMatchObject(full);
    const path = { agent_id, release_name: 'the-last' };
    await platform.bus.call(agentVersions.endpoints.deleteRelease, path, world.caller());
    expect(await create('one-more')).toMatchObject({ name: 'one-more' });
  });

  it('has at most 4 MiB with all its parts, and one of before the limits is read, changed and audited', async () => {
    await expect(imported(150, 17_000)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('4 MiB'),
    });
    const [made] = (await imported(100, 17_000)).agents;
    const agent_id = made?.id ?? 0;
    // As an older release let it grow: more than the 16 MiB that the bus carries in one message.
    await platform.sql.query(`UPDATE agents.actions SET description = repeat('x', 180000) WHERE agent_id = $1`, [
      agent_id,
    ]);
    await platform.sql.query('UPDATE agents.agents SET draft_sizes = NULL WHERE id = $1', [agent_id]);
    const patient = () => world.caller({ deadline: Date.now() + 300_000 });
    const read = platform.bus.call(agents.endpoints.getAgent, { agent_id }, patient());
    await expect(read).rejects.toMatchObject({ status: 500 });
    const input = { agent_id, description: 'changed' };
    const change = (): Promise<number> =>
      platform.bus.call(agents.endpoints.updateAgent, input, patient()).then(
        () => 200,
        ({ status }: ApiError) => status,
      );
    // 503 where so large an agent takes longer than a statement may.
    await eventually('a change is answered', async () => (await change()) === 500, 120_000);
    const audits = await world.audits('agent', agent_id);
    expect(audits.at(-1)).toMatchObject({ before: { description: null }, after: { description: 'changed' } });
    const { rows } = await platform.sql.query<{ most: number }>(
      'SELECT max(octet_length(payload)) AS most FROM agents.outbox',
    );
    expect(rows[0]?.most).toBeLessThanOrEqual(262_144);
  });
});
