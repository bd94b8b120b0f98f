import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findEndpoints } from '../launcher/data-directory.js';
import type { Progress } from '../launcher/supervisor/progress.js';
import type { Settings } from '../settings/settings.js';
import { createClient, type Signalbox } from '@signalbox/sdk';

export interface DemoContext {
  api: Signalbox;
  baseUrl: string;
  natsUrl: string;
  key: string;
  keyFile: string;
  progress: Progress;
  step<T>(title: string, work: () => Promise<T>, outcome: (result: T) => string): Promise<T>;
}

function narrator(progress: Progress, stop: AbortSignal): DemoContext['step'] {
  let number = 0;
  return async (title, work, outcome) => {
    stop.throwIfAborted();
    number += 1;
    // Without an animation the line with the outcome is enough.
    if (process.stdout.isTTY) progress.step(title);
    const result = await work();
    progress.log(`${number}. ${title}: ${outcome(result)}`);
    return result;
  };
}

export async function openContext({ dataDir }: Settings, progress: Progress, stop: AbortSignal): Promise<DemoContext> {
  const endpoints = await findEndpoints(dataDir);
  const keyFile = join(dataDir, 'admin-key');
  const key = (await readFile(keyFile, 'utf8').catch(() => '')).trim();
  if (endpoints === null) throw new Error(`no platform runs on ${dataDir}: start it with "npm start" first`);
  if (key === '') throw new Error(`${keyFile} holds no key: it is written at the first start of the platform`);
  const baseUrl = endpoints.base_url;
  const api = createClient({ apiKey: key, baseUrl, signal: stop });
  return { api, baseUrl, natsUrl: endpoints.nats_url, key, keyFile, progress, step: narrator(progress, stop) };
}
