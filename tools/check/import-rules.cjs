'use strict';

// Who may import whom. Paths are relative to the checked root, so that the proof can apply the same rules to a
// mini-tree of violations.

const { filesUnder } = require('./files-under.cjs');

/** Matches a package by name whether it resolved into node_modules or is not installed. */
const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/|^(${names.join('|')})(/|$)`;
const builtin = (name) => `^(node:)?${name}$`;

const SPEC = '\\.spec\\.ts$';
const NOT_A_RULE = /\.(handlers|repository|entity|module|view|worker|spec)\.ts$|\/main\.ts$|\/migrations\//;

/** A rule is a source file of a service with its own spec next to it that is none of the other file kinds. */
function ruleFiles(root) {
  const sources = filesUnder(root, 'apps', (file) => /^apps\/(?!cli\/)[^/]+\/src\/.*\.ts$/.test(file));
  const all = new Set(sources);
  return sources.filter((file) => !NOT_A_RULE.test(file) && all.has(file.replace(/\.ts$/, '.spec.ts')));
}

const literal = (file) => `^${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** What each lib may import of the other libs; a lib that is absent here may import none. */
const LAYERS = [
  { name: 'contracts-imports-no-lib', libs: ['contracts'], below: [] },
  { name: 'openapi-imports-contracts-only', libs: ['openapi'], below: ['contracts'] },
  { name: 'platform-imports-contracts-only', libs: ['platform'], below: ['contracts'] },
  { name: 'bus-imports-lower-libs-only', libs: ['bus'], below: ['contracts', 'platform'] },
  { name: 'clients-imports-lower-libs-only', libs: ['clients'], below: ['contracts', 'platform', 'bus'] },
  { name: 'database-imports-lower-libs-only', libs: ['database'], below: ['contracts', 'platform'] },
  { name: 'egress-imports-lower-libs-only', libs: ['egress'], below: ['contracts', 'platform'] },
  {
    name: 'llm-imports-lower-libs-only',
    libs: ['llm'],
    below: ['contracts', 'platform', 'bus', 'database', 'egress', 'sdk'],
  },
  {
    name: 'objects-imports-lower-libs-only',
    libs: ['objects'],
    below: ['contracts', 'platform', 'egress'],
  },
  { name: 'servers-imports-no-lib', libs: ['servers'], below: [] },
  { name: 'sdk-imports-no-lib', libs: ['sdk'], below: [] },
  {
    name: 'runs-imports-lower-libs-only',
    libs: ['runs'],
    below: ['contracts', 'platform', 'bus', 'database', 'egress'],
  },
  {
    name: 'scripts-imports-lower-libs-only',
    libs: ['scripts'],
    below: ['contracts', 'platform', 'bus'],
  },
  { name: 'conditions-imports-contracts-only', libs: ['conditions'], below: ['contracts'] },
];

function layerRule({ name, libs, below }) {
  return {
    name,
    comment: `libs/${libs} may import ${below.length ? below.join(', ') : 'no other lib'}.`,
    severity: 'error',
    from: { path: `^libs/(${libs.join('|')})/src/`, pathNot: SPEC },
    to: { path: '^libs/', pathNot: `^libs/(${[...libs, ...below].join('|')})/` },
  };
}

function forbid(name, comment, from, to, scope = 'module') {
  return { name, comment, severity: 'error', scope, from, to };
}

function ruleFileRule(root) {
  const rules = ruleFiles(root).map(literal);
  // With no rule file yet the rule must match nothing rather than everything.
  const from = rules.length > 0 ? rules : ['^$'];
  return forbid(
    'rule-imports-contracts-and-rules-only',
    'A rule is pure: it imports contracts, the comparisons of libs/conditions, the terms of libs/scripts, the rules of libs/runs, the types of libs/sdk, the packages `diff` and `lru-cache` and other rules, those of other features through their index.ts, nothing else.',
    { path: from },
    {
      pathNot: [
        '^libs/(contracts|conditions|scripts|sdk)/src/',
        '^@signalbox/runs/rules$',
        // Compares two texts, and nothing else.
        '(^|/)node_modules/(diff|lru-cache)/',
        '^apps/[^/]+/src/[^/]+/index\\.ts$',
        ...rules,
      ],
    },
  );
}

/** The apps that are made of feature modules: one folder each, which the README of the app lists in their order. */
const FEATURE_APPS = [
  'accounts',
  'agents',
  'gateway',
  'monitors',
  'runner',
  'test-runs',
  'traffic',
  'training',
  'workflows',
];
/** Its folders depend one way too, but have no index.ts: a command loads only what it needs. */
const COMMAND_LINE = 'cli';

function featureRules() {
  const src = `^apps/(${FEATURE_APPS.join('|')})/src`;
  const oneWay = `^apps/(${[...FEATURE_APPS, COMMAND_LINE].join('|')})/src`;
  const comment = 'A feature is entered by its index.ts alone.';
  const index = '^apps/$1/src/[^/]+/index\\.ts$';
  const other = '^apps/$1/src/(?!migrations/)[^/]+/';
  return [
    forbid(
      'features-depend-one-way',
      'Features of an app depend one way: move what both need into the feature that owns it.',
      { path: `${oneWay}/[^/]+$` },
      { circular: true },
      'folder',
    ),
    forbid(
      'feature-imported-by-its-index',
      comment,
      { path: `${src}/([^/]+)/` },
      { path: other, pathNot: ['^apps/$1/src/$2/', index] },
    ),
    forbid(
      'feature-imported-by-its-index',
      comment,
      { path: `${src}/[^/]+\\.ts$` },
      // The files that list an app's modules and tables may name those that its other process does not load (traffic).
      { path: other, pathNot: [index, '\\.entity\\.ts$', '-api\\.module\\.ts$'] },
    ),
  ];
}

/** The one place where an app imports another (docs/decisions/023). */
const IN_PROCESS = { from: 'apps/gateway/src/in-process-completions\\.ts', to: 'apps/traffic/src/in-process\\.ts' };

function importRules(root) {
  return [
    ...LAYERS.map(layerRule),
    forbid(
      'contracts-is-pure',
      'Contracts are data: no Nest module and no I/O.',
      { path: '^libs/contracts/src/', pathNot: SPEC },
      {
        path: [
          packages('@nestjs/[^/]+', '@nats-io/[^/]+', 'typeorm', 'pg', 'undici'),
          builtin('(fs|fs/promises|net|http|https|http2|tls|dgram|dns|dns/promises|child_process|worker_threads)'),
        ],
      },
    ),
    forbid('lib-imports-no-app', 'Apps import libs, never the reverse.', { path: '^libs/' }, { path: '^apps/' }),
    forbid(
      'app-imports-no-other-app',
      'Apps call each other over the bus; they share code through libs. No other module imports an app either.',
      { path: '^(apps/[^/]+|test|bench)/', pathNot: `^${IN_PROCESS.from}$` },
      { path: '^apps/', pathNot: '^$1/' },
    ),
    forbid(
      'in-process-completions-import-one-file',
      'The gateway serves completions in its process: it starts that part and imports nothing else of traffic.',
      { path: `^${IN_PROCESS.from}$` },
      { path: '^apps/', pathNot: ['^apps/gateway/', `^${IN_PROCESS.to}$`] },
    ),
    forbid(
      'testing-only-from-tests',
      'libs/testing starts servers and fakes of external services; production code must not import it.',
      { path: '^(apps|libs)/[^/]+/src/', pathNot: [SPEC, '^libs/testing/'] },
      { path: '^libs/testing/' },
    ),
    forbid(
      'gateway-owns-no-tables',
      'The gateway speaks HTTP and bus only.',
      { path: '^apps/gateway/src/' },
      { path: ['^libs/database/', packages('typeorm', '@nestjs/typeorm', 'pg')] },
    ),
    ruleFileRule(root),
    forbid(
      'typeorm-only-in-the-database-kinds',
      'Queries live in repositories, entities and migrations.',
      {
        path: '^(apps|libs|test)/',
        pathNot: ['\\.(repository|entity)\\.ts$', '^apps/[^/]+/src/.*migrations/', '^libs/(database|testing)/'],
      },
      { path: packages('typeorm') },
    ),
    forbid(
      'nest-typeorm-only-in-modules-and-the-database-kinds',
      'A module may register entities; everything else about TypeORM stays in the database kinds.',
      {
        path: '^(apps|libs|test)/',
        pathNot: ['\\.(repository|entity|module)\\.ts$', '^apps/[^/]+/src/.*migrations/', '^libs/(database|testing)/'],
      },
      { path: packages('@nestjs/typeorm') },
    ),
    forbid(
      'llm-only-from-traffic',
      'Every model call goes through traffic; other services call it over the bus.',
      { path: '^(apps|libs|test|bench)/', pathNot: ['^apps/traffic/', '^libs/llm/'] },
      { path: '^libs/llm/' },
    ),
    forbid(
      'child-process-only-where-processes-are-the-job',
      'Only the sandbox runner, the launcher and the test tools start processes.',
      {
        path: '^(apps|libs)/',
        pathNot: [
          '^apps/runner/src/pool/',
          '^apps/cli/src/launcher',
          // It drives the engine of containers by its command.
          '^apps/cli/src/machine/engine\\.ts$',
          '^libs/(servers|testing)/',
          '^(apps|libs)/[^/]+/test/',
        ],
      },
      { path: builtin('child_process') },
    ),
    forbid(
      'undici-only-in-egress',
      'One HTTP client guards every address; a second one would not.',
      { path: '^(apps|libs|test)/', pathNot: '^libs/(egress|testing)/' },
      { path: packages('undici') },
    ),
    ...featureRules(),
    forbid('no-circular-imports', 'A cycle has no order of initialization.', {}, { circular: true }),
    forbid(
      'no-deep-import-into-a-workspace',
      'A workspace is entered by its name, never by its files.',
      { path: '^((?:apps|libs)/[^/]+|test|bench)/' },
      { path: '^libs/', pathNot: ['^$1/', '^libs/[^/]+/src/index\\.ts$'] },
    ),
    forbid(
      'no-deep-import-into-a-workspace',
      'A workspace is entered by its name, never by its files.',
      { path: '^((?:apps|libs)/[^/]+)/' },
      { path: '^libs/', pathNot: '^$1/', dependencyTypes: ['local'] },
    ),
    forbid(
      'no-deep-import-by-package-name',
      'Only the exports of its entry points are public in a lib.',
      {},
      // A lib's own name resolves to its index; any other path keeps the package name. The client of the bus is a
      // separate entry point, because commands call services without loading Nest, and its addresses, because they are read before
      // anything is connected; so are the rules of runs, because
      // rules load no framework; the parser of server-sent events, which needs nothing of the client; and the random requests
      // of testing, because fast-check is slow to load; and its
      // pages in a browser, for the same reason.
      {
        path: '^@signalbox/',
        pathNot:
          '^@signalbox/(bus/(addresses|client)|database/tenancy|runs/rules|sdk/server-sent-events|testing/(browser|fuzz))$',
      },
    ),
    forbid(
      'no-compiled-import',
      'Source imports source; compiled files are never an import target.',
      { path: '^(apps|libs|test|bench)/' },
      { path: '(^|/)dist/', pathNot: '(^|/)node_modules/' },
    ),
  ];
}

module.exports = { importRules };
