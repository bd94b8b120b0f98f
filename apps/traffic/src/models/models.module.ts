import { Module } from '@nestjs/common';
import { Models } from './models.repository.js';

@Module({ providers: [Models], exports: [Models] })
export class ModelsModule {}
