// Banned constructs, and where each ban does not apply. Each entry becomes lint rules of that name
// (`signalbox/<name>`), so one exception never switches off another ban.

const TESTS = ['test/**', 'apps/*/test/**', 'libs/*/test/**', '**/*.spec.ts'];
const TOOLS = [
  'libs/testing/**',
  'bench/**',
  'examples/external-agent/**',
  'tools/**',
  'k8s/chart/files/**',
  '*.mjs',
  '*.cjs',
];

const SETTINGS = 'Settings are read by libs/platform/src/config.';
const EXIT = 'Throw, set process.exitCode, or stop through libs/platform.';
const NETWORK = 'Reach the network through libs/egress.';
const PRIVATE = 'A private member of a library needs a line in docs/private-apis.md.';
const NAMED_SQL = 'Name the statement in a *.sql.ts file, whose statements a test plans against the schema.';
const BY_NAME = 'Export by name: one thing, one name, one grep.';

/** The module and every spelling of it, with the names that must not be taken from it. */
function from(module, message, importNames) {
  return [module, `node:${module}`].map((name) => ({ name, message, ...(importNames && { importNames }) }));
}

export const BANS = [
  {
    name: 'settings',
    allowedIn: [
      'libs/platform/src/config*',
      'libs/platform/src/config/**',
      'apps/cli/**',
      'libs/sdk/src/environment.ts',
      ...TOOLS,
      ...TESTS,
    ],
    properties: [{ object: 'process', property: 'env', message: SETTINGS }],
    syntax: [
      {
        selector: "MemberExpression[object.property.name='process'][property.name='env']",
        message: SETTINGS,
      },
    ],
    imports: from('process', SETTINGS, ['default', 'env']),
  },
  {
    name: 'exit',
    allowedIn: ['libs/platform/**', 'apps/cli/**', 'tools/**'],
    properties: [{ object: 'process', property: 'exit', message: EXIT }],
    imports: from('process', EXIT, ['default', 'exit']),
  },
  {
    name: 'network',
    // The page of the gateway runs in a browser and calls the gateway that served it; the SDK is a client and runs where
    // libs/egress is not installed; what listens for events calls the developer's own address, a container's health check
    // and an operator's check of a machine call addresses of their own; the demo has a program that runs elsewhere.
    allowedIn: [
      'libs/egress/**',
      'libs/sdk/**',
      'apps/cli/src/listen/**',
      'apps/cli/src/demo/order-desk/clerk.ts',
      'apps/cli/bin/ready.mjs',
      'apps/cli/src/machine/preflight.ts',
      'apps/gateway/assets/**',
      'apps/portal/**',
      ...TOOLS,
      ...TESTS,
    ],
    globals: [{ name: 'fetch', message: NETWORK }],
    properties: [{ object: 'globalThis', property: 'fetch', message: NETWORK }],
    imports: [
      { name: 'undici', message: NETWORK },
      // A default import would bypass the ban of `http.request`; createServer stays importable by name.
      ...from('http', NETWORK, ['default', 'request', 'get', 'Agent', 'ClientRequest']),
      ...from('https', NETWORK, ['default', 'request', 'get', 'Agent']),
      ...from('http2', NETWORK, ['default', 'connect']),
    ],
  },
  {
    name: 'sandbox',
    // Evaluate the spec files and the bundles of this repository.
    allowedIn: ['tools/jest/spec-modules.mjs', 'tools/bundle/load.mjs'],
    imports: from('vm', 'node:vm is no sandbox; scripts of users run in the jailed runner.'),
  },
  {
    name: 'private-member',
    // The members that docs/private-apis.md lists.
    allowedIn: [
      'apps/gateway/src/limits/connections.ts',
      'apps/gateway/src/gateway-adapter.ts',
      'apps/gateway/assets/**',
      ...TOOLS,
      ...TESTS,
    ],
    syntax: [{ selector: 'MemberExpression[property.name=/^_[a-z]/]', message: PRIVATE }],
  },
  {
    name: 'sql',
    // Processes that are no services with a database, and the library that composes those of views and versions.
    allowedIn: ['apps/{cli,gateway,runner}/**', 'apps/*/src/migrations/**', 'libs/**', ...TOOLS, ...TESTS],
    syntax: [
      {
        selector: 'CallExpression[callee.property.name=/^(query|select|asWorker)$/] > TemplateLiteral.arguments',
        message: NAMED_SQL,
      },
      {
        selector:
          'CallExpression[callee.property.name=/^(query|select|asWorker)$/] > Literal[value=/^(SELECT|INSERT|UPDATE|DELETE) /]',
        message: NAMED_SQL,
      },
    ],
  },
  {
    name: 'default-export',
    allowedIn: [
      '**/*.config.*',
      'tools/check/{longest-first,totals-reporter,budget-reporter}.mjs',
      'tools/jest/spec-runner.mjs',
    ],
    syntax: [
      { selector: 'ExportDefaultDeclaration', message: BY_NAME },
      { selector: "ExportSpecifier[exported.name='default']", message: BY_NAME },
    ],
  },
];
