import type { Caller } from '@signalbox/contracts';
import { isService } from '../service-permissions.js';
import { PING, PING_OF_WORKERS } from './frames/frames.js';

// The sender is part of every subject, and the permissions of the bus let each user publish under its own name alone
// (docs/decisions/022).

const RPC = 'rpc.';

/** `rpc.<sender>.<contract>.<endpoint>` */
export const callSubject = (sender: string, endpoint: { subject: string }): string =>
  `${RPC}${sender}.${endpoint.subject.slice(RPC.length)}`;

export const callsOf = (contract: string, endpoint = '*'): string => `${RPC}*.${contract}.${endpoint}`;

export const pingSubjects = (sender: string, contract: string): string[] =>
  [PING, PING_OF_WORKERS].map((name) => `${RPC}${sender}.${contract}.${name}`);

export function readCallSubject(subject: string): { sender: string; endpoint: string } {
  const end = subject.indexOf('.', RPC.length);
  return { sender: subject.slice(RPC.length, end), endpoint: `${RPC}${subject.slice(end + 1)}` };
}

/**
 * Whether the reply goes to the sender: the reply to a forged call could be matched to another call. JetStream
 * deliveries have other reply subjects, so they are never accepted as calls.
 */
export const isOwnInbox = (sender: string, reply: string | undefined): boolean =>
  reply?.startsWith(`_INBOX.${sender}.`) === true;

/**
 * The administrator scope is accepted only from a process that has verified the key: a service that passes on a caller
 * cannot claim that scope.
 */
export const callerFrom = (sender: string, caller: Caller): Caller =>
  caller.scopes.includes('admin') && isService(sender)
    ? { ...caller, scopes: caller.scopes.filter((scope) => scope !== 'admin') }
    : caller;

const AUDIT = /^audit\.\d+$/;

/** Audit entries leave the outbox with their sender: `audit.<company>.<sender>`. */
export const sentSubject = (sender: string, subject: string): string =>
  AUDIT.test(subject) ? `${subject}.${sender}` : subject;

/** Undefined for entries stored before senders were part of the subject. */
export const senderOfAudit = (subject: string): string | undefined => subject.split('.')[2];
