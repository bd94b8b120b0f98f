import { updatesUnderLoad } from './rolling/upgrades.js';

describe('an update from the last release under load', () => updatesUnderLoad([10_000, 40_000], 1_500_000));
