import type { Caller } from '@signalbox/contracts';
import { isService } from '../service-permissions.js';
import { PING, PING_OF_WORKERS } from './frames/frames.js';

// The sender is a part of every subject, and the permissions of the bus let each user publish under its own name alone
// (docs/decisions/022).

const RPC = 'rpc.';

/** The subject under which a sender calls an endpoint: `rpc.<sender>.<contract>.<endpoint>`. */
export const callSubject = (sender: string, endpoint: { subject: string }): string =>
  `${RPC}${sender}.${endpoint.subject.slice(RPC.length)}`;

/** The subjects of the calls of a contract, or of one of its endpoints, from any sender. */
export const callsOf = (contract: string, endpoint = '*'): string => `${RPC}*.${contract}.${endpoint}`;

/** The subjects under which a sender asks all processes that serve a contract to report. */
export const pingSubjects = (sender: string, contract: string): string[] =>
  [PING, PING_OF_WORKERS].map((name) => `${RPC}${sender}.${contract}.${name}`);

/** The parts of a call's subject: its sender, and the endpoint as the contract names it. */
export function readCallSubject(subject: string): { sender: string; endpoint: string } {
  const end = subject.indexOf('.', RPC.length);
  return { sender: subject.slice(RPC.length, end), endpoint: `${RPC}${subject.slice(end + 1)}` };
}

/**
 * Whether the reply to a call goes to its sender: the reply to a forged call could be matched to another call.
 * JetStream deliveries have other reply subjects, so none of them is accepted as a call.
 */
export const isOwnInbox = (sender: string, reply: string | undefined): boolean =>
  reply?.startsWith(`_INBOX.${sender}.`) === true;

/**
 * The caller a call is served for. The administrator scope is accepted only from a process that has verified the key:
 * a service that calls another one passes on the caller, but cannot claim that scope.
 */
export const callerFrom = (sender: string, caller: Caller): Caller =>
  caller.scopes.includes('admin') && isService(sender)
    ? { ...caller, scopes: caller.scopes.filter((scope) => scope !== 'admin') }
    : caller;

const AUDIT = /^audit\.\d+$/;

/** An audit entry leaves the outbox under the name of its sender: `audit.<company>.<sender>`. */
export const sentSubject = (sender: string, subject: string): string =>
  AUDIT.test(subject) ? `${subject}.${sender}` : subject;

/** The sender of an audit entry; undefined for entries stored before senders were part of the subject. */
export const senderOfAudit = (subject: string): string | undefined => subject.split('.')[2];
