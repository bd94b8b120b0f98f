import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/index.js';
import { LimitsModule } from '../limits/index.js';
import { PortalFiles } from './portal-files.js';
import { PortalPagesController } from './portal-pages.controller.js';
import { PortalSessionController } from './portal-session.controller.js';
import { PortalSignIn } from './portal-sign-in.js';

@Module({
  imports: [BodiesModule, LimitsModule],
  controllers: [PortalSessionController, PortalPagesController],
  providers: [PortalFiles, PortalSignIn],
})
export class PortalModule {}
