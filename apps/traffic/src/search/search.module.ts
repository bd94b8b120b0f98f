import { Module } from '@nestjs/common';
import { FindHandlers } from './find.handlers.js';
import { HelpTexts } from './help-texts.js';
import { SearchHandlers } from './search.handlers.js';

@Module({ controllers: [SearchHandlers, FindHandlers], providers: [HelpTexts] })
export class SearchModule {}
