import { Module } from '@nestjs/common';
import { StepReader } from './step-reader.js';

@Module({ providers: [StepReader], exports: [StepReader] })
export class StepsModule {}
