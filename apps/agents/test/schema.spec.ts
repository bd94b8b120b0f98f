import { describeSchema } from '@signalbox/testing';
import { ENTITIES } from '../src/entities.js';

describeSchema('agents', ENTITIES, new URL('../src/', import.meta.url));
