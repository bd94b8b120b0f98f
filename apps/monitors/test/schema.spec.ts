import { describeSchema } from '@signalbox/testing';
import { ENTITIES } from '../src/entities.js';

describeSchema('monitors', ENTITIES, new URL('../src/', import.meta.url));
