import { type FamilyRelease, invalidField, type Page, type ReleaseOverview } from '@signalbox/contracts';

/** Reads one page of the releases of a family. */
export type FamilyPages = (page: { offset: number; limit: number; sort: string }) => Promise<Page<FamilyRelease>>;

/** A page of the merged list. */
interface MergedPage {
  offset: number;
  limit: number;
  sort: string;
}

const PAGE = 100;
/** A merge reads everything before its page; deeper pages need `parent_type`. */
const MAX_MERGED = 10_000;
/** The fields that releases of different families are compared by; their ids are not comparable. */
const KEYS: Readonly<Record<string, keyof FamilyRelease>> = {
  id: 'date_created',
  date_created: 'date_created',
  date_updated: 'date_updated',
  name: 'name',
  moved_at: 'moved_at',
  parent_name: 'parent_name',
};

/** Returns one page of the releases of several families in one order, with the exact total of all. */
export async function mergedReleases(
  families: readonly FamilyPages[],
  { offset, limit, sort }: MergedPage,
): Promise<Page<ReleaseOverview>> {
  const end = offset + limit;
  if (families.length > 1 && end > MAX_MERGED)
    throw invalidField('offset', `must be below ${MAX_MERGED} unless parent_type names one kind`);
  const first = await Promise.all(families.map((family) => family({ offset: 0, limit: Math.min(PAGE, end), sort })));
  const total = first.reduce((sum, { pagination }) => sum + pagination.total, 0);
  const rows = await Promise.all(families.map((family, at) => upTo(family, first[at]?.data ?? [], end, sort)));
  const merged = rows.flat().sort(orderOf(sort));
  return { data: merged.slice(offset, end).map(shown), pagination: { total, offset, limit } };
}

/** The first releases of a family, as many as the merged page may need. */
async function upTo(family: FamilyPages, first: FamilyRelease[], end: number, sort: string): Promise<FamilyRelease[]> {
  const rows = [...first];
  for (let last = first.length; last === PAGE && rows.length < end;) {
    const { data } = await family({ offset: rows.length, limit: PAGE, sort });
    rows.push(...data);
    last = data.length;
  }
  return rows;
}

function orderOf(sort: string): (left: FamilyRelease, right: FamilyRelease) => number {
  const direction = sort.startsWith('-') ? -1 : 1;
  const key = KEYS[sort.replace(/^-/, '')] ?? 'date_created';
  return (left, right) =>
    direction * (compared(left[key], right[key]) || compared(left.date_created, right.date_created));
}

function compared(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right));
}

const shown = ({ date_created: _created, date_updated: _updated, ...release }: FamilyRelease): ReleaseOverview =>
  release;
