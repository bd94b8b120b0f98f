'use strict';

const { importRules } = require('./tools/check/import-rules.cjs');

module.exports = {
  forbidden: importRules(__dirname),
  options: {
    // Type-only imports bind two files just as firmly as the others.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    tsConfig: { fileName: 'tools/check/tsconfig.cruise.json' },
  },
};
