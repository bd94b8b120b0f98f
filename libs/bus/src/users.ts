import { SCRIPT_REPLIES, scripts, type ServiceDeclaration, SERVICES } from '@signalbox/contracts';
import { presenceSubject } from './calls/failure-detection/presence.js';
import { controlSubject } from './chunks/credit-window.js';
import { AUDIT_STREAM, STREAM, streamOf } from './events/streams.js';
import { eventResourcesOf, servedBy } from './service-permissions.js';

export interface BusPermissions {
  user: string;
  publish: string[];
  subscribe: string[];
}

const TRAFFIC = [
  'broadcast.models',
  'broadcast.sentinels',
  'broadcast.sessions',
  'broadcast.tag-rules',
  'broadcast.writers',
];

/** Subjects outside of calls and events, such as the revocation of a key. */
const BROADCASTS: Record<string, { publishes: string[]; subscribes: string[] }> = {
  gateway: { publishes: ['broadcast.limits'], subscribes: ['broadcast.keys', 'broadcast.limits'] },
  accounts: { publishes: ['broadcast.keys'], subscribes: [] },
  completions: { publishes: ['broadcast.limits'], subscribes: ['broadcast.keys', 'broadcast.limits'] },
  traffic: { publishes: TRAFFIC, subscribes: TRAFFIC },
  runner: { publishes: [], subscribes: [`${SCRIPT_REPLIES}.*.*.*`] },
};

const eventsOf = (service: ServiceDeclaration): string[] =>
  eventResourcesOf(service).map((resource) => `events.*.${resource}.*`);

/**
 * A service may send replies only to the inboxes that its callers reserve for it, so it cannot reply in place of
 * another service. Tracking each reply instead would cost the bus a search per call.
 */
function inboxesOf(service: ServiceDeclaration): string[] {
  const serves = (contract: { service: string }): boolean => contract.service === service.name;
  return SERVICES.filter(({ calls }) => calls.some(serves)).map(({ name }) => `_INBOX.${name}.${service.name}.>`);
}

function flowsOf({ calls }: ServiceDeclaration): string[] {
  const abandonable = calls.filter(({ endpoints }) => Object.values(endpoints).some((each) => each.abandonable));
  return [...new Set(abandonable.map(({ service }) => `${controlSubject(service)}.*`))];
}

const presenceOf = ({ calls }: ServiceDeclaration): string[] => [
  ...new Set(calls.map(({ service }) => presenceSubject(service))),
];

/** Services that execute scripts reply to host calls; only the runner receives that. */
const scriptRepliesOf = ({ calls }: ServiceDeclaration): string[] =>
  calls.includes(scripts) ? [`${SCRIPT_REPLIES}.*.*.*`] : [];

const isAbandonable = ({ name, database }: ServiceDeclaration): boolean =>
  database || servedBy(name).some(({ endpoints }) => Object.values(endpoints).some((each) => each.abandonable));

/**
 * The service of the audit log creates and configures the streams. A stream can republish and rename what it stores, so
 * its configuration can forge any sender; accounts, which issues the keys of all companies, has that power anyway.
 */
const ownsStreams = ({ consumes }: ServiceDeclaration): boolean =>
  consumes.some(({ filter }) => streamOf(filter) === AUDIT_STREAM);

const consumesAllEvents = ({ consumes }: ServiceDeclaration): boolean =>
  consumes.some(({ filter }) => filter === 'events.>');

const uses = (stream: string, durable: string): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
];

/**
 * Name and filter are part of the subject under which a consumer is created, and the server compares them with the
 * configuration: a service reads, changes and acknowledges only its own consumers.
 */
function consumersOf({ consumes }: ServiceDeclaration): string[] {
  return consumes.flatMap(({ durable, filter }) => {
    const stream = streamOf(filter);
    // An older release stored audit entries in the event stream: they are read until none is left.
    const former = stream === STREAM ? [] : [...uses(STREAM, durable), `$JS.API.CONSUMER.DELETE.${STREAM}.${durable}`];
    return [`$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`, ...uses(stream, durable), ...former];
  });
}

function permissionsOf(service: ServiceDeclaration): BusPermissions {
  const { name, calls, database } = service;
  const { publishes, subscribes } = BROADCASTS[name] ?? { publishes: [], subscribes: [] };
  const stream = [STREAM, AUDIT_STREAM].flatMap((each) => [
    `$JS.API.STREAM.INFO.${each}`,
    ...(ownsStreams(service) ? [`$JS.API.STREAM.CREATE.${each}`, `$JS.API.STREAM.UPDATE.${each}`] : []),
  ]);
  // It consumes all events, so it may also read the stored ones, for clients that follow them.
  if (consumesAllEvents(service)) stream.push(`$JS.API.STREAM.MSG.GET.${STREAM}`);
  return {
    user: name,
    publish: [
      ...calls.map((contract) => `rpc.${name}.${contract.name}.*`),
      ...(database
        ? [
            ...eventsOf(service),
            `audit.*.${name}`,
            `work.${name}.>`,
            `live.${name}.>`,
            ...stream,
            ...consumersOf(service),
          ]
        : []),
      ...inboxesOf(service),
      ...flowsOf(service),
      ...presenceOf(service),
      ...scriptRepliesOf(service),
      ...publishes,
    ],
    subscribe: [
      `_INBOX.${name}.>`,
      ...servedBy(name).map((contract) => `rpc.*.${contract.name}.*`),
      ...(servedBy(name).length > 0 ? [presenceSubject(name)] : []),
      ...(database ? [`work.${name}.>`, `live.${name}.>`] : []),
      ...(isAbandonable(service) ? [`${controlSubject(name)}.*`] : []),
      // New events of tasks and runs, and those of companies that clients follow.
      ...(name === 'gateway' ? ['live.>', 'events.>'] : []),
      ...subscribes,
    ],
  };
}

export const busUsers = (): BusPermissions[] => SERVICES.map(permissionsOf);
