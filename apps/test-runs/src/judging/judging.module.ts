import { Module } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/bus';
import { EvaluationModule } from '@signalbox/conditions';
import { Judges } from './judges.js';

/** Judges outputs: comparison with what is expected, criteria, verdicts. */
@Module({ imports: [EvaluationModule], providers: [CompanyProfiles, Judges], exports: [Judges] })
export class JudgingModule {}
