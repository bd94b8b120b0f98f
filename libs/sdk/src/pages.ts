/** One page of a list with its exact total. */
export interface Page<T> {
  data: T[];
  pagination: { total: number; offset: number; limit: number };
}

type Load<T> = (offset: number | undefined) => Promise<Page<T>>;

/**
 * A list: `await` gives one page, `for await` goes through all of them from the asked offset on. A record that moves
 * to the next page because another was added is not returned twice.
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

  /** Every page, one after the other. */
  async *pages(): AsyncGenerator<Page<T>> {
    let page = await this.firstPage();
    yield page;
    for (;;) {
      const { total, offset } = page.pagination;
      const next = offset + page.data.length;
      if (page.data.length === 0 || next >= total) return;
      page = await this.load(next);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    let earlier = new Set<unknown>();
    for await (const { data } of this.pages()) {
      for (const item of data) if (!earlier.has(idOf(item))) yield item;
      earlier = new Set(data.map(idOf).filter((id) => id !== undefined));
    }
  }

  /** All records as an array. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  private firstPage(): Promise<Page<T>> {
    this.first ??= this.load(undefined);
    return this.first;
  }
}

const idOf = (item: unknown): unknown => (item as { id?: unknown } | null)?.id;
