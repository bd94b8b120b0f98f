import { openObjectStore } from '@signalbox/objects';

// Checks a store once: Node.js reads NODE_EXTRA_CA_CERTS only when a process starts.
const store = openObjectStore({ OBJECT_STORE_URL: process.argv[2] ?? '', DATA_DIR: '' }, 'test');
const outcome = await store.check().then(
  () => 'works',
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
process.stdout.write(`${outcome}\n`);
await store.close();
