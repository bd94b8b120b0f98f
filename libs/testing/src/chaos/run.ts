import { parseArgs } from 'node:util';
import { runFamilyChaos } from './family/scenario.js';
import { runMonitorChaos } from './monitors/scenario.js';
import { runTaskChaos } from './task-scenario.js';
import { runTestRunChaos } from './test-run-scenario.js';
import { runTrainingChaos } from './training/scenario.js';
import { runWorkflowChaos } from './workflows/scenario.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '200' },
    kills: { type: 'string', default: '40' },
    freeze: { type: 'string', default: '0' },
    scenario: { type: 'string', default: 'tasks' },
  },
});
const log = (line: string): void => void process.stdout.write(`${line}\n`);

const SCENARIOS = {
  tasks: runTaskChaos,
  family: runFamilyChaos,
  workflows: runWorkflowChaos,
  monitors: ({ tasks: sources, ...chaos }: Parameters<typeof runTaskChaos>[0]) =>
    runMonitorChaos({ sources, ...chaos }),
  training: ({ tasks: datasets, ...chaos }: Parameters<typeof runTaskChaos>[0]) =>
    runTrainingChaos({ datasets, ...chaos }),
  'test-run': ({ tasks: items, ...chaos }: Parameters<typeof runTaskChaos>[0]) => runTestRunChaos({ items, ...chaos }),
};
const play = SCENARIOS[values.scenario as keyof typeof SCENARIOS];
if (!play) throw new Error(`there is no scenario ${values.scenario}; there are ${Object.keys(SCENARIOS).join(', ')}`);
const report = await play({
  seed: Number(values.seed),
  tasks: Number(values.tasks),
  kills: Number(values.kills),
  freezeMs: Number(values.freeze),
  log,
});
const { injected, faults, ...finish } = report;
const current: Record<string, number> = {};
for (const { victim } of injected) current[victim] = (current[victim] ?? 0) + 1;
log(JSON.stringify({ ...finish, injected: current }, null, 2));
log(faults.length === 0 ? 'nothing lost, nothing done twice' : faults.slice(0, 50).join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
