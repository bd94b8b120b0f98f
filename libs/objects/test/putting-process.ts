import { randomBytes } from 'node:crypto';
import { openObjectStore } from '@signalbox/objects';

// Stores large objects in sequence until it is killed.
const store = openObjectStore({ OBJECT_STORE_URL: process.argv[2] ?? '', DATA_DIR: '' }, 'test');
for (;;) process.send?.(await store.put(7, randomBytes(5_000_000)));
