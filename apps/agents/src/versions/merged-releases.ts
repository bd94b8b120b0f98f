import { type FamilyRelease, invalidField, type Page, type ReleaseOverview } from '@signalbox/contracts';

export type FamilyPages = (page: MergedPage) => Promise<Page<FamilyRelease>>;

interface MergedPage {
  offset: number;
  limit: number;
  sort: string;
}

type Order = (left: FamilyRelease, right: FamilyRelease) => number;

const MAX_OFFSET = 1_000_000;
/** Ids of different families are not comparable. */
const KEYS: Readonly<Record<string, keyof FamilyRelease>> = {
  id: 'date_created',
  date_created: 'date_created',
  date_updated: 'date_updated',
  name: 'name',
  moved_at: 'moved_at',
  parent_name: 'parent_name',
};

/** One page in one order, with the exact total of all families. */
export async function mergedReleases(
  families: readonly FamilyPages[],
  { offset, limit, sort }: MergedPage,
): Promise<Page<ReleaseOverview>> {
  if (offset > MAX_OFFSET)
    throw invalidField('offset', `must be at most ${MAX_OFFSET}; filter by parent_type or search`);
  const order = orderOf(sort);
  const first = await Promise.all(families.map((family) => family({ offset: 0, limit, sort })));
  const totals = first.map(({ pagination }) => pagination.total);
  const skipped = await skippedOf(families, totals, { offset, limit, sort }, order);
  const pages = await Promise.all(
    families.map((family, at) => {
      const from = skipped[at] ?? 0;
      return from === 0 ? Promise.resolve(first[at]!) : family({ offset: from, limit, sort });
    }),
  );
  const total = totals.reduce((sum, each) => sum + each, 0);
  const heads = pages.map(({ data }) => data);
  return { data: merge(heads, limit, order).map(shown), pagination: { total, offset, limit } };
}

/**
 * How many releases of each family come before an offset of the merged list. Each round compares one release of each
 * family, an equal share of the rest ahead: those up to the smallest of them come before the offset.
 */
async function skippedOf(
  families: readonly FamilyPages[],
  totals: readonly number[],
  { offset, sort }: MergedPage,
  order: Order,
): Promise<number[]> {
  const skipped = families.map(() => 0);
  for (let left = offset; left > 0;) {
    const open = families.flatMap((family, at) => (skipped[at]! < totals[at]! ? [{ family, at }] : []));
    if (open.length === 0) break;
    const share = Math.max(1, Math.floor(left / open.length));
    const ahead = await Promise.all(
      open.map(async ({ family, at }) => {
        const end = Math.min(skipped[at]! + share, totals[at]!);
        const { data } = await family({ offset: end - 1, limit: 1, sort });
        return { at, end, release: data[0] };
      }),
    );
    // A release that was deleted meanwhile ends its family.
    const [smallest] = ahead.sort((one, other) =>
      one.release && other.release ? order(one.release, other.release) : 0,
    );
    if (!smallest) break;
    left -= smallest.end - skipped[smallest.at]!;
    skipped[smallest.at] = smallest.end;
  }
  return skipped;
}

function merge(lists: readonly (readonly FamilyRelease[])[], limit: number, order: Order): FamilyRelease[] {
  const at = lists.map(() => 0);
  const merged: FamilyRelease[] = [];
  while (merged.length < limit) {
    const heads = lists.flatMap((list, which) => {
      const release = list[at[which]!];
      return release ? [{ which, release }] : [];
    });
    const [next] = heads.sort((one, other) => order(one.release, other.release));
    if (!next) break;
    merged.push(next.release);
    at[next.which]! += 1;
  }
  return merged;
}

function orderOf(sort: string): Order {
  const direction = sort.startsWith('-') ? -1 : 1;
  const key = KEYS[sort.replace(/^-/, '')] ?? 'date_created';
  return (left, right) =>
    direction * (compared(left[key], right[key]) || compared(left.date_created, right.date_created));
}

/** Texts are compared by their bytes, as the collation `C` of Postgres does. */
function compared(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

const shown = ({ date_created: _created, date_updated: _updated, ...release }: FamilyRelease): ReleaseOverview =>
  release;
