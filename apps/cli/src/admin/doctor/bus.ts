import { AUDIT_STREAM, type BusPermissions, busUsers, EventStream, STREAM, streamOf } from '@signalbox/bus';
import type { StreamInfo } from '@nats-io/jetstream';
import type { BusConnection } from '@signalbox/bus/client';
import { SERVICES } from '@signalbox/contracts';
import type { Platform } from '../../launcher/service-environment.js';
import { clockFinding, type ClockReading } from './clocks.js';
import { checked, type Finding, listed, ok, problem, reasonOf, warning } from './finding.js';
import { asUser } from './logins.js';

const RIGHTS = 'generate the configuration of the bus again (signalbox admin nats-config) and restart it';
const STREAMS = 'restart the accounts service, which makes the streams; events wait in the outboxes meanwhile';
const CONSUMERS = 'see the log of the service, which makes its consumers when it has a stream';

const OWNER = 'accounts';
const FULL = 0.9;
const BEHIND = 10_000;

export async function busFindings(platform: Platform): Promise<Finding[]> {
  const [rights, streams, consumers] = await Promise.all([
    rightsFinding(platform),
    checked('streams', RIGHTS, () =>
      asUser(platform, OWNER, (connection) => streamFindings(connection, replicasOf(platform))),
    ),
    consumerFinding(platform),
  ]);
  return [rights, ...streams, consumers];
}

async function rightsFinding(platform: Platform): Promise<Finding> {
  const users = busUsers();
  const faults = await Promise.all(users.map((user) => rightFaults(platform, user)));
  const all = faults.flat();
  return all.length > 0
    ? problem('bus users', listed(all), RIGHTS)
    : ok('bus users', `${users.length} users log in and receive what their contracts need`);
}

/** Only subscriptions are tried: a publish would have an effect. */
async function rightFaults(platform: Platform, { user, subscribe }: BusPermissions): Promise<string[]> {
  const denied: string[] = [];
  try {
    await asUser(platform, user, async ({ nats }) => {
      for (const subject of subscribe)
        nats.subscribe(subject, {
          callback: (error) => void (error && denied.push(`${user} may not receive ${subject}`)),
        });
      await nats.flush();
    });
    return denied;
  } catch (error) {
    return [`${user} cannot log in: ${reasonOf(error)}`];
  }
}

const replicasOf = ({ settings }: Platform): number => Number(settings.inherited.NATS_REPLICAS || 1);

function replicaFinding(area: string, { config, cluster }: StreamInfo, wanted: number): Finding | null {
  const followers = cluster?.replicas ?? [];
  const behind = followers.filter(({ current, offline }) => !current || offline).map(({ name }) => name);
  const advice = 'see whether all servers of the bus run; the accounts service sets the replicas when it starts';
  if (config.num_replicas !== wanted)
    return warning(area, `${config.num_replicas} replicas, NATS_REPLICAS is ${wanted}`, advice);
  return behind.length > 0 ? warning(area, `the replicas at ${listed(behind)} are away or behind`, advice) : null;
}

async function streamFindings(connection: BusConnection, replicas: number): Promise<Finding[]> {
  const { streams } = await new EventStream(connection).jsm();
  const findings: Finding[] = [ok('bus', `NATS ${connection.nats.info?.version ?? '?'}`)];
  for (const name of [STREAM, AUDIT_STREAM]) {
    const before = Date.now();
    const ofStream = await checked(`stream ${name}`, STREAMS, async () => {
      const info = await streams.info(name);
      const { state, config, ts } = info;
      const after = Date.now();
      const used = config.max_bytes > 0 ? state.bytes / config.max_bytes : 0;
      const text = `${state.messages} messages, ${Math.round(used * 100)} % of its space`;
      const isFull = used > FULL && name === AUDIT_STREAM;
      const finding = isFull
        ? warning(`stream ${name}`, text, 'a full audit stream refuses entries: see whether accounts consumes it')
        : ok(`stream ${name}`, text);
      // Both streams are of one server.
      const found = [finding, ...[replicaFinding(`stream ${name}`, info, replicas) ?? []].flat()];
      return name === STREAM ? [...found, busClock(ts, state.last_ts, { before, after })] : found;
    });
    findings.push(...ofStream);
  }
  return findings;
}

/** A server before 2.10 reports only the time of its latest message, which shows a clock that is ahead. */
function busClock(ts: string | undefined, latest: string, asked: Omit<ClockReading, 'reported'>): Finding {
  const area = 'clock of NATS';
  const reported = Date.parse(ts ?? latest);
  if (ts !== undefined || reported > asked.after) return clockFinding(area, { ...asked, reported });
  return ok(area, 'NATS before 2.10 does not tell it; nothing that it has stored is from the future');
}

async function consumerFinding(platform: Platform): Promise<Finding> {
  const consuming = SERVICES.filter(({ consumes }) => consumes.length > 0);
  const outcomes = await Promise.all(
    consuming.map(({ name, consumes }) =>
      asUser(platform, name, async (connection) => {
        const { consumers } = await new EventStream(connection).jsm();
        return Promise.all(
          consumes.map(async ({ durable, filter }) => {
            try {
              const { num_pending } = await consumers.info(streamOf(filter), durable);
              return { fault: null, late: num_pending > BEHIND ? `${durable} has ${num_pending} to read` : null };
            } catch (error) {
              return { fault: `${durable}: ${reasonOf(error)}`, late: null };
            }
          }),
        );
      }).catch((error: unknown) => [{ fault: `${name} cannot log in: ${reasonOf(error)}`, late: null }]),
    ),
  );
  const all = outcomes.flat();
  const faults = all.flatMap(({ fault }) => fault ?? []);
  const late = all.flatMap(({ late: each }) => each ?? []);
  if (faults.length > 0) return problem('consumers', listed(faults), CONSUMERS);
  if (late.length > 0) return warning('consumers', listed(late), 'see whether their services keep up');
  return ok('consumers', `${all.length} consumers, none far behind`);
}
