/** What code that escaped the interpreter would use first: the process, its loaders, the network. */
const REMOVED = [
  'process',
  'require',
  'module',
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'Worker',
  'navigator',
  'BroadcastChannel',
];

/**
 * Removes the globals that reach the process. No boundary, since the jail is around all of this; it removes the
 * shortest ways.
 */
export function emptyGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
}
