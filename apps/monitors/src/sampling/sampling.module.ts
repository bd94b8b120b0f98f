import { Module } from '@nestjs/common';
import { JudgingModule } from '../judging/index.js';
import { DirectJudgements } from './direct-judgements.js';
import { MonitorSampler } from './samples.repository.js';
import { Sampling } from './sampling.handlers.js';

@Module({
  imports: [JudgingModule],
  providers: [DirectJudgements, MonitorSampler, Sampling],
})
export class SamplingModule {}
