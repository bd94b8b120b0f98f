import { type InProcessService, serveInProcess } from '@signalbox/bus';
import { requireDatabase } from '@signalbox/database';
import type { GracefulStop, Logger } from '@signalbox/platform';
import { type CompletionSettings, CompletionsModule } from './completions.module.js';

export type { CompletionSettings };

/** Acts as a further process of the traffic service. */
export async function serveCompletionsInProcess(
  settings: CompletionSettings,
  logger: Logger,
  stop: GracefulStop,
): Promise<InProcessService> {
  await requireDatabase(settings.DATABASE_URL);
  return serveInProcess(CompletionsModule.with(settings, true), logger, stop);
}
