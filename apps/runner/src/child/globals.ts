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

/** Functions of Node that start a process or a thread, or open a connection. */
const DISARMED = {
  child_process: ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync', 'ChildProcess'],
  cluster: ['fork'],
  dgram: ['createSocket', 'Socket'],
  http: ['request', 'get'],
  https: ['request', 'get'],
  net: ['connect', 'createConnection', 'createServer', 'Socket'],
  tls: ['connect'],
  worker_threads: ['Worker'],
} as const;

const refuse = (): never => {
  throw new Error('this process starts nothing and connects to nothing');
};

/**
 * Removes the globals that reach the system. No boundary, since the jail is around all of this; it removes the shortest
 * ways.
 */
export function emptyGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
}

/** Disarms the modules that the code around the interpreter of Python can require, for `os.system` and sockets. */
export function disarmModules(): void {
  for (const [name, functions] of Object.entries(DISARMED)) {
    const module = process.getBuiltinModule(`node:${name}`) as object;
    for (const each of functions) Reflect.set(module, each, refuse);
  }
}
