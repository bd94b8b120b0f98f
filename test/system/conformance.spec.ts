import type { Endpoint } from '@signalbox/contracts';
import { SERVICES } from '@signalbox/contracts';
import {
  CASES,
  eventually,
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
  target = await startHttpTarget();
  const env = { EGRESS_ALLOW: `127.0.0.1:${target.port}` };
  platform = await Platform.start({ services: ['gateway', ...owning], env });
  inspection = await Inspection.of(platform, target);
  badCredentials = await inspection.badCredentials();
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await target.close();
});

it('every public endpoint has a valid input, and nothing else has one', () => {
  expect(tableFaults(PUBLIC_ENDPOINTS, CASES)).toEqual([]);
  expect(tableFaults(PUBLIC_ENDPOINTS.slice(0, 1), {})).toEqual([expect.stringContaining('add a valid input')]);
});

it('no schema has a gap in the wall between companies', async () => {
  expect(await tenancyFaults(platform.sql, owning)).toEqual([]);
});

describe.each(PUBLIC_ENDPOINTS.map((endpoint): [string, Endpoint] => [nameOf(endpoint), endpoint]))(
  '%s',
  (_name, endpoint) => {
    it('can be reached and answers as declared', async () => {
      expect(await inspection.reachProblems(endpoint)).toEqual([]);
    });

    it('lets nobody in without a key that may', async () => {
      expect(await inspection.keyProblems(endpoint, badCredentials)).toEqual([]);
    });

    it('refuses junk, strangers and what belongs to the server, by name', async () => {
      expect(await inspection.junkProblems(endpoint)).toEqual([]);
    });

    it('can be sorted by what every record has, when it is a list', async () => {
      expect(await inspection.sortProblems(endpoint)).toEqual([]);
    });

    it('answers a foreign id as one that never existed', async () => {
      expect(await inspection.foreignProblems(endpoint)).toEqual([]);
    });
  },
);

describe('with its service gone', () => {
  beforeAll(() => inspection.stopCounting());

  it.each(owning)(
    'every endpoint of %s is 503 at once',
    async (service) => {
      const endpoints = PUBLIC_ENDPOINTS.filter((endpoint) => endpoint.service === service);
      const inputs = await Promise.all(endpoints.map((endpoint) => inspection.input(endpoint)));
      await platform.service(service).kill('SIGKILL');
      // A call sent before the bus has noticed the death is a call in flight; this is about those that come after.
      await eventually('the bus notices', () => isDown(service));
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
