import { Module } from '@nestjs/common';
import { ComparedRuns } from './compared-runs.repository.js';
import { Comparisons } from './comparisons.js';

@Module({ providers: [ComparedRuns, Comparisons], exports: [ComparedRuns, Comparisons] })
export class RunComparisonModule {}
