import { agentVersions } from '@signalbox/contracts';
import { World } from '../world.js';
import { platform } from './fixture.js';

const TABLES = ['agents', 'actions', 'agent_versions', 'agent_releases', 'agent_release_moves', 'application_names'];

describe('row-level security alone', () => {
  it('shows the rows of one company, hides them from another and from none', async () => {
    const world = await World.make(platform);
    const { id } = await world.agent();
    await world.action(id, 'a');
    await world.publish(id);
    await platform.bus.call(
      agentVersions.endpoints.createRelease,
      { agent_id: id, name: 'stable', version: '1.0.0', is_default: true },
      world.caller(),
    );
    const stranger = await World.make(platform);
    const client = await platform.sql.connect();
    const seen = async (company: string, table: string): Promise<number> => {
      await client.query(`SELECT set_config('app.company', $1, true)`, [company]);
      const { rows } = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM agents.${table} WHERE company_id = $1`,
        [world.companyId],
      );
      return rows[0]?.n ?? -1;
    };
    try {
      await client.query('BEGIN; SET LOCAL ROLE svc_agents');
      for (const table of TABLES) {
        expect([table, await seen(String(world.companyId), table)]).toEqual([table, 1]);
        expect([table, await seen(String(stranger.companyId), table)]).toEqual([table, 0]);
        expect([table, await seen('', table)]).toEqual([table, 0]);
      }
      await client.query(`SELECT set_config('app.company', $1, true)`, [String(stranger.companyId)]);
      const insert = client.query(`INSERT INTO agents.application_names VALUES ($1, 1, 'x', 0)`, [world.companyId]);
      await expect(insert).rejects.toThrow('row-level security');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
