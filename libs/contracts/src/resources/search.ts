import { defineContract } from '../contract.js';
import { stringType } from '../fields/field-types.js';
import { Default, Description, Int, List, ListOf, Nested, Num, OneOf, Optional, Str } from '../fields/fields.js';

export const SEARCH_SURFACES = ['api', 'cli', 'all'] as const;
export type SearchSurface = (typeof SEARCH_SURFACES)[number];
export const EXAMPLE_LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

class SearchOptions {
  @OneOf(SEARCH_SURFACES) @Default('all') surface!: SearchSurface;
  @Int(1, 20) @Default(5) limit!: number;
}
class SearchQuery extends SearchOptions {
  @Str(1, 500) q!: string;
}
class SearchBody extends SearchOptions {
  @Str(1, 500) query!: string;
}
/** An endpoint, a command or a concept that answers a search. */
export class SearchResult {
  @OneOf(['endpoint', 'command', 'concept']) kind!: 'endpoint' | 'command' | 'concept';
  @Str() title!: string;
  @Str() @Optional() method?: string;
  @Str() @Optional() path?: string;
  @Str() @Optional() command?: string;
  @Str() family!: string;
  @Str(0, 2000) summary!: string;
  @Num(0, 1) score!: number;
}
/** The results of a search, best first. */
export class SearchResults {
  @Str(1, 500) query!: string;
  @ListOf(() => SearchResult) results!: SearchResult[];
}

class HelpContext {
  @OneOf(EXAMPLE_LANGUAGES) @Default('curl') language!: ExampleLanguage;
  @Str(0, 1000) @Optional() @Description('What the caller wants to reach in the end') goal?: string;
}
class HelpQuestion {
  @Str(1, 2000) question!: string;
  @Nested(() => HelpContext) @Default(() => ({ language: 'curl' })) context!: HelpContext;
}
/** An endpoint of an answer, and what it is for. */
export class HelpEndpoint {
  @Str() method!: string;
  @Str() path!: string;
  @Str(0, 2000) why!: string;
}
export class HelpExample {
  @OneOf(EXAMPLE_LANGUAGES) language!: ExampleLanguage;
  @Str(0, 20_000) code!: string;
}
export class HelpSource {
  @Str() title!: string;
  @Str() path!: string;
}
export class HelpAnswer {
  @Str(0, 20_000) answer!: string;
  @List(stringType(1, 2000), 0, 20) @Description('In order') steps!: string[];
  @ListOf(() => HelpEndpoint) endpoints!: HelpEndpoint[];
  @ListOf(() => HelpExample) examples!: HelpExample[];
  @ListOf(() => HelpSource) sources!: HelpSource[];
  @OneOf(['template', 'model']) generated_by!: 'template' | 'model';
}

/** Search and help over the API and the command line; only documents are read, never data of a company (docs/api/events.md). */
export const search = defineContract(
  { name: 'search', service: 'traffic', tag: 'Search and Help' },
  {
    searchDocuments: {
      get: '/search',
      summary: 'Search the API and the command line in natural language',
      input: SearchQuery,
      output: SearchResults,
    },
    searchDocumentsByBody: {
      post: '/search',
      summary: 'Search the API and the command line in natural language',
      scope: 'read',
      input: SearchBody,
      output: SearchResults,
    },
    askForHelp: {
      post: '/help',
      summary: 'Ask how something is done with the API',
      scope: 'read',
      input: HelpQuestion,
      output: HelpAnswer,
      delivery: { slow: true },
    },
  },
);
