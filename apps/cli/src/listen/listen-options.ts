import { randomBytes } from 'node:crypto';
import { parseOptions } from '../client/parse-options.js';
import { UsageError } from '../client/usage-error.js';

export interface ListenOptions {
  target: URL;
  events?: string[];
  /** The id of the event after which to begin. */
  since?: string;
  secret: string;
  isNewSecret: boolean;
  json: boolean;
}

export const LISTEN_HELP = `signalbox listen --forward-to URL [options]

Sends the events of the company to an address of this machine, each as the call that a webhook would make, and prints what
became of it. The events come over a connection that this program opens: it needs neither a webhook nor an address that the
platform can reach, and leaves nothing behind. The key needs the scope read.

  --forward-to URL   where the calls go, such as http://127.0.0.1:8080/events, or a port alone
  --events a,b       exact names, family.* or *; all by default
  --since ID         begin after this event, as printed; 0 sends the last 24 hours again
  --json             one line of JSON for each call

Calls carry X-Service-Signature as those of webhooks, made with the secret in SIGNALBOX_WEBHOOK_SECRET, else with a new one,
which is printed. A call that fails is not tried again: --since sends it again. Ctrl-C ends it.`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = { 'forward-to': TEXT, events: TEXT, since: TEXT, json: FLAG, help: FLAG } as const;

function targetOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('missing: --forward-to');
  const url = /^\d+$/.test(text) ? `http://127.0.0.1:${text}/` : text;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError('--forward-to must be an address, http://… or https://…, or a port');
  return new URL(url);
}

export function listenOptions(words: string[], environment: NodeJS.ProcessEnv): ListenOptions | null {
  const values = parseOptions({ args: words, options: OPTIONS }).values;
  if (values.help) return null;
  const { events, since, json = false } = values;
  if (since !== undefined && !/^\d+$/.test(since)) throw new UsageError('--since must be the id of an event');
  const secret = environment.SIGNALBOX_WEBHOOK_SECRET;
  return {
    target: targetOf(values['forward-to']),
    ...(events === undefined ? {} : { events: events.split(',').map((each) => each.trim()) }),
    ...(since === undefined ? {} : { since }),
    secret: secret || `whs_${randomBytes(20).toString('hex')}`,
    isNewSecret: !secret,
    json,
  };
}
