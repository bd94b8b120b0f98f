import { Serves } from '@signalbox/bus';
import {
  type CallTo,
  CONTRACTS,
  type Handlers,
  invalidField,
  type JsonSchema,
  search,
  type SearchSurface,
} from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import { documentedEndpoint } from './documented-endpoint.js';
import { helpAnswer, relevant } from './help-answer.js';
import { HelpTexts } from './help-texts.js';
import { routeCommands, searchDocuments } from './search-documents.js';
import { SearchIndex } from './search-index.js';

type C = typeof search;

const RESULTS = 5;

interface Documents {
  openApi: JsonSchema;
  index: SearchIndex;
}

@Serves(search)
export class SearchHandlers implements Handlers<C> {
  private made: Documents | undefined;

  constructor(private readonly texts: HelpTexts) {}

  searchDocuments({ input: { q, ...options } }: CallTo<C, 'searchDocuments'>) {
    return Promise.resolve(this.found({ query: q, ...options }));
  }

  searchDocumentsByBody({ input }: CallTo<C, 'searchDocumentsByBody'>) {
    return Promise.resolve(this.found(input));
  }

  async askForHelp({ input: { question, context }, caller }: CallTo<C, 'askForHelp'>) {
    if (question.trim() === '') throw invalidField('question', 'must not be empty');
    const { language, goal = '' } = context;
    const results = relevant(this.documents.index.search(`${question} ${goal}`.trim(), 'all', RESULTS));
    const endpoints = results.flatMap(
      ({ method = '', path = '' }) => documentedEndpoint(this.documents.openApi, method, path) ?? [],
    );
    return this.texts.improve(question, helpAnswer({ results, endpoints }, language), caller);
  }

  private found({ query, surface, limit }: { query: string; surface: SearchSurface; limit: number }) {
    return { query, results: this.documents.index.search(query, surface, limit) };
  }

  /** Built on first use: most processes serve no search. */
  private get documents(): Documents {
    if (this.made) return this.made;
    const document = openApi(CONTRACTS);
    return (this.made = {
      openApi: document,
      index: new SearchIndex(searchDocuments(document, routeCommands(CONTRACTS))),
    });
  }
}
