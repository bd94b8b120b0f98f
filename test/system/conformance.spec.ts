import type { Endpoint } from '@signalbox/contracts';
import { SERVICES } from '@signalbox/contracts';
import {
  CASES,
  eventually,
  fixtureTarget,
  type HttpTarget,
  Inspection,
  type RawOptions,
  nameOf,
  Platform,
  PUBLIC_ENDPOINTS,
  startHttpTarget,
  tableFaults,
  tenancyFaults,
} from '@signalbox/testing';

const owning = SERVICES.filter((service) => service.database).map((service) => service.name);

let platform: Platform;
let target: HttpTarget;
let inspection: Inspection;
let badCredentials: [string, RawOptions][];

async function isDown(service: string): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${platform.port}/readyz`);
  const { checks } = (await reply.json()) as { checks: { services: Record<string, string> } };
  return checks.services[service] === 'down';
}

beforeAll(async () => {
  target = await startHttpTarget({ script: fixtureTarget });
  platform = await Platform.shared(['gateway', ...owning, 'runner']);
  inspection = await Inspection.of(platform, target);
  badCredentials = await inspection.badCredentials();
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await target.close();
});

it('every public endpoint has a valid input, and no input is superfluous', () => {
  expect(tableFaults(PUBLIC_ENDPOINTS, CASES)).toEqual([]);
  expect(tableFaults(PUBLIC_ENDPOINTS.slice(0, 1), {})).toEqual([expect.stringContaining('add a valid input')]);
});

it('every schema isolates companies', async () => {
  expect(await tenancyFaults(platform.sql, owning)).toEqual([]);
});

/** Work or a read comes before or after their transaction. */
const WITH_MORE_THAN_ONE_STEP = [
  'test-sets.cloneTestSet',
  'workflow-artifacts.putArtifact',
  'workflow-manifests.importWorkflows',
  'mcp-servers.refreshMcpServer',
  'requests.rerunRequest',
  'requests.evaluateRequest',
  'monitor-runs.retryMonitorRun',
  'test-runs.cancelTestRun',
  'legacy-test-sets.createLegacyTestSet',
  'test-set-imports.importBulk',
];

describe.each(PUBLIC_ENDPOINTS.map((endpoint): [string, Endpoint] => [nameOf(endpoint), endpoint]))(
  '%s',
  (name, endpoint) => {
    it('can be reached and replies as declared', async () => {
      expect(await inspection.reachProblems(endpoint)).toEqual([]);
    });

    it('refuses calls without a valid key and scope', async () => {
      expect(await inspection.keyProblems(endpoint, badCredentials)).toEqual([]);
    });

    it('refuses invalid values, unknown and read-only fields, by name', async () => {
      expect(await inspection.junkProblems(endpoint)).toEqual([]);
    });

    if (WITH_MORE_THAN_ONE_STEP.includes(name))
      it('gives a repeat whose reply was lost that reply', async () => {
        expect(await inspection.repeatProblems(endpoint)).toEqual([]);
      });

    it('can be sorted by the fields every record has, when it is a list', async () => {
      expect(await inspection.sortProblems(endpoint)).toEqual([]);
    });

    it('replies to a foreign id as to one that never existed', async () => {
      expect(await inspection.foreignProblems(endpoint)).toEqual([]);
    });
  },
);

describe('with its service stopped', () => {
  beforeAll(() => inspection.stopCounting());

  it.each(owning)(
    'every endpoint of %s is 503 at once',
    async (service) => {
      const endpoints = PUBLIC_ENDPOINTS.filter((endpoint) => endpoint.service === service);
      const inputs = await Promise.all(endpoints.map((endpoint) => inspection.inputWhileDown(endpoint)));
      await platform.service(service).kill('SIGKILL');
      // A call sent before the bus has detected the stop is a call in flight; this test is about later ones.
      await eventually('the bus detects the stop', () => isDown(service));
      const problems = await Promise.all(
        endpoints.map(async (endpoint, at) =>
          (await inspection.downProblems(endpoint, inputs[at] ?? {})).map(
            (problem) => `${nameOf(endpoint)}: ${problem}`,
          ),
        ),
      );
      await platform.service(service).start();
      expect(problems.flat()).toEqual([]);
    },
    60_000,
  );
});
