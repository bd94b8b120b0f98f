import { Module } from '@nestjs/common';
import { FindHandlers } from './find.handlers.js';
import { HelpTexts } from './help-texts.js';
import { SearchHandlers } from './search.handlers.js';

/** Search and help over the document of the API. */
@Module({ controllers: [SearchHandlers, FindHandlers], providers: [HelpTexts] })
export class SearchModule {}
