import type { ImportWarning, ManifestAgent } from '@signalbox/contracts';

export interface ImportInput {
  agents: ManifestAgent[];
  /** Warnings about parts that were left out before. */
  warnings: ImportWarning[];
  on_conflict: 'error' | 'update';
  prune: boolean;
}
