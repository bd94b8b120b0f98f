import { showProgress } from '../launcher/supervisor/progress.js';
import { signInLink } from '../operator/sign-in-link.js';
import type { Settings } from '../settings/settings.js';
import { type DemoContext, openContext } from './context.js';

/** By the word after `demo`; each returns whether everything ended as expected. */
const DEMOS: Record<string, (context: DemoContext) => Promise<boolean>> = {
  '': async (context) => (await import('./order-desk/walk-through.js')).runOrderDesk(context),
  workflows: async (context) => (await import('./workflows/walk-through.js')).runWorkflowExamples(context),
};

async function boardLink({ api, baseUrl, natsUrl }: DemoContext): Promise<string> {
  const { company } = await api.apiKeys.getCurrent();
  const link = await signInLink(natsUrl, new URL(baseUrl).origin, company.id);
  return link.replace('#', `?next=${encodeURIComponent(`/c/${company.id}/releases`)}#`);
}

export async function runDemo(settings: Settings, [name = '']: string[]): Promise<number> {
  const run = Object.hasOwn(DEMOS, name) ? DEMOS[name] : undefined;
  if (run === undefined)
    throw new Error(`there is no demo "${name}"; there is "workflows", and the one without a name`);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('stopped'));
  // Replaces the handlers that end the process while it loads: what the demo has allowed is taken back.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(name).once(name, interrupt);
  const progress = showProgress(process.stdout);
  const context = await openContext(settings, progress, stop.signal);
  try {
    const complete = await run(context);
    progress.end();
    progress.log(complete ? '\nThe demo is complete.' : '\nNot everything ended as expected: see the timelines above.');
    if (complete && name === '') progress.log(`\nThe release board, for five minutes: ${await boardLink(context)}`);
    return complete ? 0 : 1;
  } finally {
    progress.end();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
