import { RunWorld } from './run-world.js';
import { agentRuns } from './runs/agents.js';
import { cancelledRuns } from './runs/cancellations.js';
import { evaluatedInOneCall } from './runs/evaluated.js';
import { gatedReleases } from './runs/gates.js';
import { modelRuns } from './runs/models.js';
import { judgedRuns } from './runs/scorings.js';
import { scriptedScores } from './runs/script-scores.js';
import { scoredRuns } from './runs/scores.js';
import { workflowRuns } from './runs/workflows.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world.stop());

describe('runs against models', () => modelRuns(() => world));
describe('scores of runs', () => scoredRuns(() => world));
describe('scorings by models', () => judgedRuns(() => world));
describe('scores by scripts and steps', () => scriptedScores(() => world));
describe('runs against agents', () => agentRuns(() => world));
describe('runs against workflows', () => workflowRuns(() => world));
describe('cancelled runs', () => cancelledRuns(() => world));
describe('runs in one call', () => evaluatedInOneCall(() => world));
describe('releases with a gate', () => gatedReleases(() => world));
