import { Module } from '@nestjs/common';
import { DraftsModule } from '../drafts/index.js';
import { FormFieldHandlers } from './form-fields.handlers.js';
import { FormFields } from './form-fields.repository.js';

@Module({
  imports: [DraftsModule],
  controllers: [FormFieldHandlers],
  providers: [FormFields],
  exports: [FormFields],
})
export class FormFieldsModule {}
