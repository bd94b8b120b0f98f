import { Module } from '@nestjs/common';
import { Candidates } from './candidates.repository.js';
import { CompositionHandlers } from './compositions.handlers.js';
import { Compositions } from './compositions.repository.js';
import { ExcludedInputs } from './excluded-inputs.js';
import { Mixes } from './mixes.js';

@Module({
  controllers: [CompositionHandlers],
  providers: [Candidates, Compositions, ExcludedInputs, Mixes],
  exports: [Compositions, Mixes],
})
export class CompositionsModule {}
