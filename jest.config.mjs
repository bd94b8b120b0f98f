// Specs run as compiled by `tsc -b`: what is tested is what ships, decorator metadata included.

import { removeStale } from './tools/check/stale.mjs';
import { SYSTEM_SPECS } from './tools/check/system-specs.mjs';

// Before jest looks for specs, for one whose source is gone must not be found.
removeStale(import.meta.dirname);

// What takes minutes is in `*.long.spec.ts` and runs with `npm run check:long`; CI adds some of them to the others.
const added = (process.env.WITH_LONG ?? '').split(',').filter(Boolean);
const LONG = [`/(?!(${added.join('|')})\\.long\\.)[^/]+\\.long\\.spec\\.js$`];
// Those of test/system have every case of their short form, which would only repeat it.
const SHORT = added.map((name) => `/test/system/dist/${name}\\.spec\\.js$`);
const isLong = process.env.LONG_TESTS === '1';
const withSystem = isLong || process.env.SYSTEM_TESTS === '1';
const SPECS = isLong ? '*.long.spec.js' : '*.spec.js';

export default {
  testMatch: [`<rootDir>/{apps,libs}/**/dist/**/${SPECS}`, `<rootDir>/{bench,test/system}/dist/**/${SPECS}`],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(isLong ? [] : [...LONG, ...SHORT]),
    ...(withSystem ? [] : SYSTEM_SPECS),
  ],
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test', '<rootDir>/bench'],
  modulePathIgnorePatterns: ['<rootDir>/test/fixtures/'],
  testEnvironment: 'node',
  testRunner: '<rootDir>/tools/jest/spec-runner.mjs',
  // Above what `eventually` waits, so that a failure says what never happened.
  testTimeout: 60_000,
  testSequencer: '<rootDir>/tools/check/longest-first.mjs',
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'json', 'node'],
  // Specs and what they import are compiled.
  transform: {},
  reporters: ['default', '<rootDir>/tools/check/totals-reporter.mjs', '<rootDir>/tools/check/budget-reporter.mjs'],
};
