import { randomBytes } from 'node:crypto';
import {
  agents,
  auditLog,
  datasets,
  monitorRuns,
  requests,
  testRuns,
  testSets,
  workflowRuns,
} from '@signalbox/contracts';
import type { OtlpCollector } from '../fakes/otlp-collector.js';
import { eventually } from '../platform/platform.js';
import type { CanaryContext } from './canary-cases.js';
import type { CanarySearch } from './families/canary-search.js';

/** Services that handle a secret, each with an export of spans. */
export const SERVICES = ['gateway', 'accounts', 'traffic', 'agents', 'workflows', 'monitors', 'training', 'test-runs'];

const SINGLE_REQUESTS = 10;

/** A call to each service, which ends its export. */
const LAST_CALLS = [
  agents.endpoints.listAgents,
  requests.endpoints.listRequests,
  auditLog.endpoints.listAuditEntries,
  workflowRuns.endpoints.listAllRuns,
  monitorRuns.endpoints.listAllMonitorRuns,
  testRuns.endpoints.listTestRuns,
  datasets.endpoints.listDatasets,
  testSets.endpoints.listTestSets,
];

export class CanaryReadings {
  constructor(
    private readonly context: CanaryContext,
    private readonly observed: CanarySearch,
    private readonly collector: OtlpCollector,
    private readonly healthPorts: readonly number[],
  ) {}

  async read(): Promise<void> {
    await this.readLogs();
    await this.readMetrics();
    await this.readSpans();
  }

  private async readLogs(): Promise<void> {
    for (let offset = 0; ; offset += 100) {
      const page = await this.context.client.get<{ request_id: string }[]>(requests.endpoints.listRequests, {
        limit: 100,
        offset,
        include_body: true,
      });
      for (const { request_id } of page.slice(0, SINGLE_REQUESTS))
        await this.context.client.get(requests.endpoints.getRequest, { request_id });
      if (page.length < 100) break;
    }
    await this.context.client.send(auditLog.endpoints.listAuditEntries, { limit: 100 });
  }

  private async readMetrics(): Promise<void> {
    for (const port of this.healthPorts) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
      this.observed.text('metrics', `port ${port}`, await metrics.text());
    }
  }

  /** Spans are exported in order, so those of a last call end the export of a process. */
  private async readSpans(): Promise<void> {
    const traceId = randomBytes(16).toString('hex');
    const how = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    for (const last of LAST_CALLS) await this.context.client.send(last, {}, how);
    await eventually('every process has exported its spans', () => {
      const last = this.collector.spans.filter((span) => span.traceId === traceId);
      return SERVICES.every((name) => last.some(({ service }) => service === `signalbox-${name}`));
    });
    this.collector.bodies.forEach(({ bytes }, at) => this.observed.bytes('spans', `export ${at}`, bytes));
  }
}
