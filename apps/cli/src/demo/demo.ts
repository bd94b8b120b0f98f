import { showProgress } from '../launcher/supervisor/progress.js';
import type { Settings } from '../settings.js';
import { openContext } from './context.js';
import { runOrderDesk } from './order-desk/walk-through.js';

/** Runs a demo against the running platform; everything it creates can be inspected afterwards. */
export async function runDemo(settings: Settings): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('stopped'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = showProgress(process.stdout);
  const context = await openContext(settings, progress, stop.signal);
  try {
    const complete = await runOrderDesk(context);
    progress.end();
    progress.log(complete ? '\nThe demo is complete.' : '\nNot every task ended as expected: see the timelines above.');
    return complete ? 0 : 1;
  } finally {
    progress.end();
    await context.api.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
