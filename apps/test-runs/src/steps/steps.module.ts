import { Module } from '@nestjs/common';
import { StepReader } from './step-reader.js';

/** What was called for an item, and checks on it. */
@Module({ providers: [StepReader], exports: [StepReader] })
export class StepsModule {}
