import { Module } from '@nestjs/common';
import { Models } from './models.repository.js';

/** Models and their prices. */
@Module({ providers: [Models], exports: [Models] })
export class ModelsModule {}
