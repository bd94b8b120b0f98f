import type { Bench } from './bench.js';
import { agentInvoke } from './agents/agent-invoke.bench.js';
import { analytics } from './analytics/analytics.bench.js';
import { chatLatency, chatRate, chatStream } from './chat/chat.bench.js';
import { consume } from './events/events.bench.js';
import { publishVersion } from './versions/publish.bench.js';
import { importAgain } from './imports/imports.bench.js';
import { ingest } from './ingest/ingest.bench.js';
import { size } from './size/size.bench.js';
import { chatMonitored } from './monitors/chat-monitored.bench.js';
import { sampling } from './monitors/sampling.bench.js';
import { floods } from './neighbours/floods.bench.js';
import { neighbours } from './neighbours/neighbours.bench.js';
import { portal } from './portal/portal.bench.js';
import { read, readAgent, readFamilies, readIdiomatic, shell } from './read/read.bench.js';
import { scriptsBench } from './scripts/scripts.bench.js';
import { start } from './start/start.bench.js';
import { testRun, testRunConsumers, testRunLatency, testRunMemory } from './test-runs/test-runs.bench.js';
import { traces } from './traces/traces.bench.js';
import { workflowRun } from './workflow-runs/workflow-runs.bench.js';
import { workLatency, workThroughput } from './work/work.bench.js';

/** Every bench. */
export const BENCHES: readonly Bench[] = [
  read,
  readAgent,
  readFamilies,
  readIdiomatic,
  shell,
  chatRate,
  chatLatency,
  chatStream,
  ingest,
  traces,
  consume,
  chatMonitored,
  sampling,
  workThroughput,
  workLatency,
  scriptsBench,
  workflowRun,
  agentInvoke,
  start,
  importAgain,
  publishVersion,
  testRun,
  testRunLatency,
  testRunMemory,
  testRunConsumers,
  neighbours,
  floods,
  analytics,
  size,
  portal,
];
