import { Module } from '@nestjs/common';
import { ScriptsModule } from '../scripts/index.js';
import { VersionsModule } from '../versions/index.js';
import { SessionReads } from './session-reads.js';
import { SessionTransforms } from './session-transforms.js';
import { SessionTransformHandlers, TransformPreviewHandlers } from './transform-previews.handlers.js';

@Module({
  imports: [ScriptsModule, VersionsModule],
  controllers: [SessionTransformHandlers, TransformPreviewHandlers],
  providers: [SessionReads, SessionTransforms],
  exports: [SessionReads, SessionTransforms],
})
export class SessionsModule {}
