import type { ImportWarning, ManifestAgent } from '@signalbox/contracts';

export interface ImportInput {
  agents: ManifestAgent[];
  warnings: ImportWarning[];
  on_conflict: 'error' | 'update';
  prune: boolean;
}
