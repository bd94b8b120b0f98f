import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pingSubjects } from '@signalbox/bus';
import type { BusConnection } from '@signalbox/bus/client';
import { SERVICES } from '@signalbox/contracts';
import type { ProcessReport } from '@signalbox/platform';
import type { Platform } from '../../launcher/service-environment.js';
import { type ClockReading, skewMs } from './clocks.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { asUser } from './logins.js';

export interface Reported extends Partial<Omit<ProcessReport, 'id' | 'now'>> {
  service: string;
  id: string;
  clock: ClockReading | null;
}

/** A working process replies within this time; the longer limit applies while none has replied. */
const REPLY_MS = 1500;
const LONGEST_MS = 8000;

/** Services without callers serve nothing: they only call. */
const SERVING = SERVICES.filter(({ name }) => callersOf(name).length > 0).map(({ name }) => name);

function callersOf(service: string): { user: string; contract: string }[] {
  return SERVICES.flatMap(({ name: user, calls }) =>
    calls.filter((contract) => contract.service === service).map(({ name: contract }) => ({ user, contract })),
  );
}

/** Asks the processes of every service in the name of a service that may call them. */
export async function processesOf(platform: Platform): Promise<Reported[]> {
  const found = SERVING.map((service) => {
    const users = callersOf(service);
    // With all contracts: processes of divided services serve only some of them.
    const user = users.some((each) => each.user === 'gateway') ? 'gateway' : users[0]?.user;
    const contracts = users.filter((each) => each.user === user).map(({ contract }) => contract);
    // Nobody is asked by a user that cannot log in; the others are.
    return asUser(platform, user ?? '', (connection) => reportsOf(connection, service, contracts)).catch(() => []);
  });
  return (await Promise.all(found)).flat();
}

async function reportsOf(connection: BusConnection, service: string, contracts: string[]): Promise<Reported[]> {
  const { nats, name } = connection;
  const found = new Map<string, Reported>();
  const inbox = `_INBOX.${name}.${service}.doctor-${randomUUID()}`;
  const before = Date.now();
  const unsubscribe = connection.listen(inbox, (payload) => {
    const reported = readReport(service, Buffer.from(payload).toString(), { before, after: Date.now() });
    if (reported && !found.has(reported.id)) found.set(reported.id, reported);
  });
  for (const contract of contracts)
    for (const subject of pingSubjects(name, contract)) nats.publish(subject, 'report', { reply: inbox });
  for (let waited = 0; waited < REPLY_MS || (found.size === 0 && waited < LONGEST_MS); waited += REPLY_MS)
    await pause(REPLY_MS);
  unsubscribe();
  return [...found.values()];
}

/** Earlier releases report only their id; an empty message means that there is no process. */
function readReport(service: string, text: string, asked: Omit<ClockReading, 'reported'>): Reported | null {
  if (text === '') return null;
  if (!text.startsWith('{')) return { service, id: text, clock: null };
  const { now, ...report } = JSON.parse(text) as ProcessReport;
  return { service, ...report, clock: { ...asked, reported: now } };
}

/** Also compares the releases, clocks and jails of the processes. */
export function processFindings(processes: readonly Reported[], release: string): Finding[] {
  const services = SERVING.map((service) => {
    const own = processes.filter((each) => each.service === service);
    if (own.length === 0)
      return problem(`service ${service}`, 'no process replies', 'start it, or see its log for why it does not serve');
    const releases = [...new Set(own.map((each) => each.release ?? 'an earlier one'))];
    const found = `${own.length} running, release ${releases.join(' and ')}, Node ${[...new Set(own.map(({ node }) => node ?? '?'))].join(', ')}`;
    return releases.some((each) => each !== release)
      ? warning(`service ${service}`, found, `this command is of release ${release}: complete the update`)
      : ok(`service ${service}`, found);
  });
  return [...services, ...runnersOf(processes)];
}

/** What code that broke out of its engine can reach in each jail; nothing in the strongest. */
const OPEN: Readonly<Record<string, string>> = {
  namespaces: 'code that broke out of its engine could read what files of the machine its user may',
  user: 'code that broke out of its engine has the network and what files its user may read',
  limits: 'code that broke out of its engine has the user, the network and the bus login of the runner',
  none: 'nothing but the engine keeps scripts apart from the machine',
};

function runnersOf(processes: readonly Reported[]): Finding[] {
  return processes
    .filter(({ service }) => service === 'runner')
    .map(({ id, script_jail: level }) => {
      const area = `sandbox ${id.slice(0, 8)}`;
      if (level === undefined) return warning(area, 'does not report its jail', 'update the runner');
      if (level === 'isolated') return ok(area, level);
      const advice = `${OPEN[level] ?? 'an unknown jail'}: see apps/runner/README.md, and set SCRIPT_JAIL_MIN`;
      return level === 'none' ? problem(area, level, advice) : warning(area, level, advice);
    });
}

export function slowestClock(processes: readonly Reported[]): ClockReading | null {
  const clocks = processes.flatMap(({ clock }) => (clock ? [clock] : []));
  return clocks.sort((one, other) => skewMs(other) - skewMs(one))[0] ?? null;
}
