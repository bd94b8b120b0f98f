// The lint rules as a function of the root, so that the proof can apply them to a tree of violations.

import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { BANS } from './bans.mjs';
import { retiredNamesRule } from './retired-names.mjs';

const TYPED = ['apps/**/*.{ts,tsx}', 'libs/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts'];
const SAYS_THINGS = [
  'apps/cli/**',
  'bench/**',
  'examples/external-agent/**',
  'test/emitters/**',
  'tools/**',
  'k8s/chart/files/**',
];
const KINDS = ['properties', 'syntax', 'globals', 'imports'];

const typedRules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  // `return promise` inside try leaves the block before the promise can fail.
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // Silent in files with decorators, where a type-only import would leave Nest no class to inject.
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
};

const commonRules = {
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-console': 'error',
  'no-constant-binary-expression': 'error',
  'no-debugger': 'error',
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'prefer-const': 'error',
  eqeqeq: ['error', 'always', { null: 'ignore' }],
};

const tsRules = {
  ...tseslint.configs.recommended.reduce((rules, config) => ({ ...rules, ...config.rules }), {}),
  // The compiler already refuses unused locals and parameters.
  '@typescript-eslint/no-unused-vars': 'off',
  '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  // A decorated parameter property or an empty decorated class is Nest's usual form.
  '@typescript-eslint/no-extraneous-class': 'off',
};

const ruleName = (ban, kind) => `${ban.name}-${kind}`;

/** ESLint's own no-restricted-* rules under one name per ban. */
function banPlugin() {
  const named = BANS.flatMap((ban) =>
    KINDS.filter((kind) => ban[kind]).map((kind) => [ruleName(ban, kind), builtinRules.get(`no-restricted-${kind}`)]),
  );
  return { rules: { ...Object.fromEntries(named), 'retired-names': retiredNamesRule } };
}

function banConfig(ban) {
  const rules = KINDS.filter((kind) => ban[kind]).map((kind) => [
    `signalbox/${ruleName(ban, kind)}`,
    kind === 'imports' ? ['error', { paths: ban.imports }] : ['error', ...ban[kind]],
  ]);
  const ignores = ban.allowedIn.length > 0 ? { ignores: ban.allowedIn } : {};
  return {
    name: `signalbox/${ban.name}`,
    files: ['**/*.{ts,tsx,mjs,cjs,js}'],
    ...ignores,
    rules: Object.fromEntries(rules),
  };
}

/** The whole configuration for the tree at `root`; `types` says from which programs the typed rules read. */
export function lintConfig(root, types = { projectService: true }) {
  return [
    { ignores: ['**/dist/**', '**/node_modules/**', '.cache/**', '.data/**', 'coverage/**', 'test/fixtures/**'] },
    {
      files: ['**/*.{ts,tsx,mjs,cjs,js}'],
      plugins: { signalbox: banPlugin(), '@typescript-eslint': tseslint.plugin },
      linterOptions: { reportUnusedDisableDirectives: 'error' },
      rules: { ...commonRules, 'signalbox/retired-names': 'error' },
    },
    {
      files: TYPED,
      languageOptions: {
        parser: tseslint.parser,
        parserOptions: { ...types, tsconfigRootDir: root },
      },
      rules: { ...tsRules, ...typedRules },
    },
    // Scripts that users read and copy: no package of this repository compiles them.
    { files: ['examples/**/*.ts'], languageOptions: { parser: tseslint.parser } },
    ...BANS.map(banConfig),
    { files: SAYS_THINGS, rules: { 'no-console': 'off' } },
  ];
}
