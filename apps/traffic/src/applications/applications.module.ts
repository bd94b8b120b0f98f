import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/index.js';
import { Applications } from './applications.repository.js';

@Module({ imports: [ConfigModule], providers: [Applications], exports: [Applications] })
export class ApplicationsModule {}
