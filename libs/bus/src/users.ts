import { type ServiceDeclaration, servedBy, SERVICES } from '@signalbox/contracts';
import { flowSubject } from './flow.js';
import { AUDIT_STREAM, STREAM, streamOf } from './streams.js';

/** What a user of the bus may publish and subscribe to. */
export interface BusPermissions {
  user: string;
  publish: string[];
  subscribe: string[];
}

/** Subjects that reach every process which cares, such as the revocation of a key. */
const BROADCASTS: Record<string, { says: string[]; hears: string[] }> = {
  gateway: { says: [], hears: ['cast.keys'] },
  accounts: { says: ['cast.keys'], hears: [] },
  traffic: { says: ['cast.models', 'cast.sessions'], hears: ['cast.models', 'cast.sessions'] },
};

/** The events of a service by resource: nobody can tell a story about what another service owns. */
function eventsOf({ events }: ServiceDeclaration): string[] {
  const resources = Object.keys(events?.declared ?? {}).map((event) => event.split('.')[0]);
  return [...new Set(resources)].map((resource) => `events.*.${resource}.*`);
}

/** Who may be answered: replies go to inboxes, and tracking each of them would cost the bus a search per call. */
function inboxesOf(service: ServiceDeclaration): string[] {
  const serves = (contract: { service: string }): boolean => contract.service === service.name;
  return SERVICES.filter(({ calls }) => calls.some(serves)).map(({ name }) => `_INBOX.${name}.>`);
}

/** The services whose calls of this one may be abandoned, and their streams paced. */
function flowsOf({ calls }: ServiceDeclaration): string[] {
  const abandonable = calls.filter(({ endpoints }) => Object.values(endpoints).some((each) => each.abandonable));
  return [...new Set(abandonable.map(({ service }) => `${flowSubject(service)}.*`))];
}

function permissionsOf(service: ServiceDeclaration): BusPermissions {
  const { name, calls, consumes, database } = service;
  const { says, hears } = BROADCASTS[name] ?? { says: [], hears: [] };
  const stream = [STREAM, AUDIT_STREAM].flatMap((each) => [
    `$JS.API.STREAM.INFO.${each}`,
    `$JS.API.STREAM.CREATE.${each}`,
  ]);
  const streams = new Set<string>(consumes.map(streamOf));
  // Whoever consumes the audit stream is in charge of both, and reads what an older release kept among the events.
  const audits = streams.has(AUDIT_STREAM);
  if (audits) streams.add(STREAM);
  const consumer = [...streams].flatMap((each) => [
    `$JS.API.CONSUMER.CREATE.${each}.>`,
    `$JS.API.CONSUMER.INFO.${each}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${each}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${each}.>`,
    `$JS.ACK.${each}.>`,
  ]);
  if (audits)
    consumer.push(
      `$JS.API.STREAM.UPDATE.${STREAM}`,
      `$JS.API.STREAM.UPDATE.${AUDIT_STREAM}`,
      `$JS.API.CONSUMER.DELETE.${STREAM}.${name}-audit-log`,
    );
  return {
    user: name,
    publish: [
      ...calls.map((contract) => `rpc.${contract.name}.*`),
      ...(database
        ? [...eventsOf(service), 'audit.*', `work.${name}.>`, `live.${name}.>`, ...stream, ...consumer]
        : []),
      ...inboxesOf(service),
      ...flowsOf(service),
      ...says,
    ],
    subscribe: [
      `_INBOX.${name}.>`,
      ...servedBy(name).map((contract) => `rpc.${contract.name}.*`),
      ...(database ? [`work.${name}.>`, `live.${name}.>`, `${flowSubject(name)}.*`] : []),
      ...(name === 'gateway' ? ['live.>'] : []),
      ...hears,
    ],
  };
}

/** The users of the bus with their rights, derived from the contracts; answers go to the inboxes of those who may call. */
export const busUsers = (): BusPermissions[] => SERVICES.map(permissionsOf);
