export interface Page<T> {
  data: T[];
  pagination: {
    total: number;
    offset: number;
    limit: number;
    /** Whether the total is an estimate, for large lists. */
    total_is_estimate?: boolean;
  };
}

interface Part {
  offset: number;
  limit: number;
}

/** By default the page that the input names. */
type Load<T> = (part?: Part) => Promise<Page<T>>;

const MAX_LIMIT = 100;

/**
 * A list: `await` gives one page, `for await` all records from the requested offset on. Every record that is in the
 * list from the start to the end of the loop is returned once, whatever is added or deleted meanwhile. A record without
 * an id may be returned again: one that changes, or that equals the one before it in a list that others are added to.
 */
export class PagedList<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  private first: Promise<Page<T>> | undefined;

  constructor(private readonly load: Load<T>) {}

  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.firstPage().then(onPage, onError);
  }

  /** Each page without the records of earlier ones. */
  async *pages(): AsyncGenerator<Page<T>> {
    const first = await this.firstPage();
    const seen = new Set(first.data.map(keyOf));
    yield first;
    for (let page = first; !isLast(page);) {
      const former = page;
      page = await this.pageAfter(former, first.pagination, seen);
      const data = unseenIn(page, former, seen);
      if (data.length === 0 && page.pagination.total_is_estimate === true && page.data.length <= 1) return;
      data.forEach((item) => seen.add(keyOf(item)));
      if (data.length > 0) yield { ...page, data };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const { data } of this.pages()) yield* data;
  }

  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /**
   * The page that begins with the last known record. When another record is at its place, records before it were
   * deleted and later ones have moved forward: the page before is read, and so on.
   */
  private async pageAfter({ data, pagination }: Page<T>, first: Part, seen: ReadonlySet<unknown>): Promise<Page<T>> {
    const next = pagination.offset + data.length;
    const limit = Math.min(first.limit + 1, MAX_LIMIT);
    // A page of one known record is as long as a reply may be: the next one begins after it.
    if (data.length === 1 && pagination.offset > first.offset) return this.load({ offset: next, limit });
    for (let offset = Math.max(first.offset, next - 1); ; offset = Math.max(first.offset, offset - first.limit)) {
      const page = await this.load({ offset, limit });
      if (offset <= first.offset || seen.has(keyOf(page.data[0]))) return page;
    }
  }

  private firstPage(): Promise<Page<T>> {
    this.first ??= this.load();
    return this.first;
  }
}

function isLast<T>({ data, pagination: { total, offset, total_is_estimate } }: Page<T>): boolean {
  return data.length === 0 || (total_is_estimate !== true && offset + data.length >= total);
}

const idOf = (item: unknown): unknown => {
  const { id, request_id, session_id } = (item ?? {}) as Record<'id' | 'request_id' | 'session_id', unknown>;
  // A record of a request names the session that it belongs to.
  return id ?? (request_id === undefined ? session_id : undefined);
};

const keyOf = (item: unknown): unknown => idOf(item) ?? JSON.stringify(item);

/** How many records at the start of a page are the last ones of the former page; undefined when the list has moved. */
function overlapOf<T>(page: Page<T>, former: Page<T>): number | undefined {
  const length = former.pagination.offset + former.data.length - page.pagination.offset;
  if (length < 0 || length > former.data.length) return undefined;
  const known = former.data.slice(former.data.length - length);
  return known.every((item, at) => keyOf(item) === keyOf(page.data[at])) ? length : undefined;
}

/** New records of a page that begins with known ones; there may be several equal records without an id. */
function unseenIn<T>(page: Page<T>, former: Page<T>, seen: ReadonlySet<unknown>): T[] {
  const { data } = page;
  const start = overlapOf(page, former) ?? data.findIndex((item) => !seen.has(keyOf(item)));
  const rest = start < 0 ? [] : data.slice(start);
  return rest.filter((item) => idOf(item) === undefined || !seen.has(keyOf(item)));
}
