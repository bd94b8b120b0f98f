import { describeSchema } from '@signalbox/testing';
import { ENTITIES } from '../src/entities.js';

describeSchema('accounts', ENTITIES, new URL('../src/', import.meta.url));
