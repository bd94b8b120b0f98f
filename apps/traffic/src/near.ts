import { type NearService, serveNear } from '@signalbox/bus';
import type { Logger } from '@signalbox/platform';
import { type CompletionSettings, CompletionsModule } from './completions.module.js';

export type { CompletionSettings };

/** Serves chat completions to the callers in this process, as one more process of the traffic service. */
export function serveCompletionsNear(settings: CompletionSettings, logger: Logger): Promise<NearService> {
  return serveNear(CompletionsModule.with(settings, true), logger);
}
