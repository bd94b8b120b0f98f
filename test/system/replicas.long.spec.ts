import { keepsItsPromises } from './rolling/replica-scenarios.js';

describe('two replicas of everything under calls of forty seconds', () =>
  keepsItsPromises([30_000, 40_000], 3_000_000));
