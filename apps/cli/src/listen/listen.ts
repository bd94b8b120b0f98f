import type { Signalbox } from '@signalbox/sdk';
import { describeFailure, exitCodeOf } from '../client/failures.js';
import { connectedClient } from '../client/run-command.js';
import { printable } from '../client/tables.js';
import { type Forwarded, forward } from './forwarding.js';
import { LISTEN_HELP, type ListenOptions, listenOptions } from './listen-options.js';

function print(call: Forwarded, json: boolean): void {
  if (json) return console.log(JSON.stringify(call));
  const { id, event, resource, status, error, duration_ms } = call;
  const at = new Date().toISOString().slice(11, 19);
  const outcome = error === undefined ? String(status) : `FAILED ${error}`;
  const words = [at, id, event, `${resource.type} ${String(resource.id)}`, outcome, `${duration_ms} ms`];
  console.log(printable(words.join('  ')));
}

function interruption(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // Replaces the handlers that end the process while it loads.
    process.removeAllListeners(name);
    process.on(name, () => stopped.abort());
  }
  // The reader of the output, such as head, has ended.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stopped.abort();
  });
  return stopped.signal;
}

async function forwardUntilInterrupted(options: ListenOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const signal = interruption();
  const client = connectedClient(environment);
  // Also what still connects, which would otherwise go on until a reply or an event comes.
  signal.addEventListener('abort', () => client.close(), { once: true });
  try {
    await forwardAll(client, options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function forwardAll(client: Signalbox, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { target, events, since, secret, json } = options;
  const { company } = await client.apiKeys.getCurrent();
  console.error(`events of company ${company.id} (${company.name}) go to ${target.href}; Ctrl-C ends it`);
  if (options.isNewSecret) console.error(`they are signed with the secret ${secret}`);
  await using stream = client.webhooks.streamEvents(events === undefined ? {} : { events }, { lastEventId: since });
  let last = since;
  for await (const event of stream) {
    const call = await forward(event, target, secret, signal);
    if (signal.aborted) break;
    print(call, json);
    last = String(call.id);
  }
  if (last !== undefined) console.error(`signalbox listen --since ${last} goes on from here`);
}

export async function listenCommand(words: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  try {
    const options = listenOptions(words, environment);
    if (options === null) console.log(LISTEN_HELP);
    else await forwardUntilInterrupted(options, environment);
    return 0;
  } catch (error) {
    console.error(`signalbox listen: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}
