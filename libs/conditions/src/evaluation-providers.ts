import { Module } from '@nestjs/common';
import { SchemaChecker } from './schema/schema-checker.js';
import { TextTests } from './text-tests.js';
import { EvaluationThreads } from './threads/evaluation-threads.js';

/** Each module has its own threads. */
const evaluationProviders = [
  { provide: EvaluationThreads, useFactory: () => new EvaluationThreads() },
  {
    provide: SchemaChecker,
    inject: [EvaluationThreads],
    useFactory: (threads: EvaluationThreads) => new SchemaChecker(threads),
  },
  {
    provide: TextTests,
    inject: [EvaluationThreads],
    useFactory: (threads: EvaluationThreads) => new TextTests(threads),
  },
];

@Module({ providers: evaluationProviders, exports: [SchemaChecker, TextTests] })
export class EvaluationModule {}
