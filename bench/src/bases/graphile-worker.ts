import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { serveEngine } from '../work/engine.js';

// graphile-worker as its own performance test tunes it: 24 jobs at once, a local queue of 500, completions in batches.
// It deletes a finished job and resets the locks of a lost worker after hours.

const CONCURRENT = 24;
const connectionString = process.env.DATABASE_URL ?? '';

await serveEngine(async (began) => {
  const pgPool = new Pool({ connectionString, max: CONCURRENT + 1 });
  for (const event of ['error', 'connect'] as const) pgPool.on(event, () => undefined);
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  const runner = await run({
    pgPool,
    logger,
    noHandleSignals: true,
    taskList: { nothing: (payload) => began((payload as { ref: string }).ref) },
    preset: {
      worker: {
        concurrentJobs: CONCURRENT,
        localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        preparedStatements: true,
      },
    },
  });
  return {
    async enqueue(refs) {
      const [first] = refs;
      if (refs.length === 1) await utils.addJob('nothing', { ref: first });
      else await utils.addJobs(refs.map((ref) => ({ identifier: 'nothing', payload: { ref } })));
    },
    async outstanding() {
      const { rows } = await pgPool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM graphile_worker._private_jobs',
      );
      return rows[0]?.count ?? 0;
    },
    async stop() {
      await runner.stop();
      await utils.release();
      await pgPool.end();
    },
  };
});
