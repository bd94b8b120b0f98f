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

/** Defence in depth, not a boundary: the jail is. Removes the shortest ways to the system. */
export function emptyGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
}

/** Disarms what Pyodide's JavaScript can require for `os.system` and sockets. */
export function disarmModules(): void {
  for (const [name, functions] of Object.entries(DISARMED)) {
    const module = process.getBuiltinModule(`node:${name}`) as object;
    for (const each of functions) Reflect.set(module, each, refuse);
  }
}
