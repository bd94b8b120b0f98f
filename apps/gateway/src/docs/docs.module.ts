import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/index.js';
import { DocsController } from './docs.controller.js';
import { Document } from './document.js';

@Module({ imports: [LimitsModule], controllers: [DocsController], providers: [Document] })
export class DocsModule {}
