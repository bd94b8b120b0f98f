import { secretNamesIn } from '@signalbox/egress';
import type { ActionSecrets } from '../drafts/index.js';

export const secretsOf = (actions: readonly ActionSecrets[]): string[] =>
  secretNamesIn(
    actions
      .filter(({ enabled }) => enabled)
      .map(({ action_config: c }) => [c?.['auth'] ?? null, c?.['headers'] ?? null]),
  );
