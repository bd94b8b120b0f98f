import type { SearchResult, SearchSurface } from '@signalbox/contracts';
import MiniSearch from 'minisearch';
import type { SearchDocument } from './search-documents.js';
import { indexedWord, methodsOf, queryWordsOf, wordsOf } from './search-words.js';

const FIELDS = ['summary', 'route', 'family', 'fields'] as const;
const BOOST = { summary: 3, route: 2.5, family: 1, fields: 0.25 };
const METHOD_BOOST = 1.35;
/** For each parameter of a path: a resource itself is asked for more often than what belongs to it. */
const DEPTH_BOOST = 0.95;
/** For commands and concepts, unless the question is about them. */
const OTHERS_BOOST = 0.6;
/** A result with this score has a confidence of one half. */
const HALF = 20;

const ABOUT_COMMANDS = /\b(cli|command|signalbox|laptop|terminal|shell|locally)\b/i;
const ABOUT_CONCEPTS = /^(what (is|are|does)|explain|meaning of|define the term)\b/i;

/** Ranks by BM25. */
export class SearchIndex {
  private readonly index = new MiniSearch<SearchDocument>({
    fields: [...FIELDS],
    tokenize: wordsOf,
    processTerm: indexedWord,
  });
  private readonly documents: ReadonlyMap<string, SearchDocument>;

  constructor(documents: readonly SearchDocument[]) {
    this.documents = new Map(documents.map((document) => [document.id, document]));
    this.index.addAll(documents);
  }

  search(question: string, surface: SearchSurface, limit: number): SearchResult[] {
    const words = queryWordsOf(question);
    const methods = methodsOf(question);
    const weights = new Map(words.map(({ word, weight }) => [word, weight]));
    const found = this.index.search(words.map(({ word }) => word).join(' '), {
      boost: BOOST,
      tokenize: (text) => text.split(' ').filter(Boolean),
      processTerm: (word) => word,
      boostTerm: (word) => weights.get(word) ?? 1,
      fuzzy: (word) => (word.length > 5 ? 1 : false),
      weights: { fuzzy: 0.3, prefix: 0.3 },
      filter: ({ id }) => isOnSurface(this.documents.get(String(id)), surface),
      boostDocument: (id) => this.boostOf(String(id), question, methods),
    });
    return found.slice(0, limit).flatMap(({ id, score }) => {
      const document = this.documents.get(String(id));
      return document ? [resultOf(document, score)] : [];
    });
  }

  private boostOf(id: string, question: string, methods: readonly string[]): number {
    const document = this.documents.get(id);
    if (document?.kind === 'command') return ABOUT_COMMANDS.test(question) ? 1.5 : OTHERS_BOOST;
    if (document?.kind === 'concept') return ABOUT_CONCEPTS.test(question) ? 1.5 : OTHERS_BOOST;
    const depth = (document?.path.match(/\{/g) ?? []).length;
    return DEPTH_BOOST ** depth * (document && methods.includes(document.method) ? METHOD_BOOST : 1);
  }
}

function isOnSurface(document: SearchDocument | undefined, surface: SearchSurface): boolean {
  if (surface === 'all') return true;
  return surface === 'cli' ? document?.command !== '' : document?.kind !== 'command';
}

function resultOf(
  { kind, title, method, path, command, family, summary }: SearchDocument,
  score: number,
): SearchResult {
  return {
    kind,
    title,
    ...(kind === 'endpoint' ? { method, path } : {}),
    ...(command === '' ? {} : { command }),
    family,
    summary,
    score: Number((score / (score + HALF)).toFixed(3)),
  };
}
