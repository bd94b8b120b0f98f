import { outlivesServersOfTheBus } from './rolling/everything.js';

describe('three servers of the bus that end one after the other', () => outlivesServersOfTheBus(1500, 300, 400_000));
