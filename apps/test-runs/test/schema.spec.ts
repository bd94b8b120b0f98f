import { describeSchema } from '@signalbox/testing';
import { ENTITIES } from '../src/entities.js';

describeSchema('test-runs', ENTITIES, new URL('../src/', import.meta.url));
