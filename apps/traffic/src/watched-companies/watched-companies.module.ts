import { Module } from '@nestjs/common';
import { AutoTaggedCompanies } from './auto-tagged-companies.js';
import { EvaluatedCompanies } from './evaluated-companies.js';

@Module({ providers: [AutoTaggedCompanies, EvaluatedCompanies], exports: [AutoTaggedCompanies, EvaluatedCompanies] })
export class WatchedCompaniesModule {}
