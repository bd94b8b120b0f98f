import type { FamilyRelease, Page } from '@signalbox/contracts';
import { type FamilyPages, mergedReleases } from './merged-releases.js';

const release = (parent_type: FamilyRelease['parent_type'], n: number): FamilyRelease => ({
  parent_type,
  parent_id: n,
  parent_name: `${parent_type} ${n}`,
  name: `r${String(n).padStart(4, '0')}`,
  version_number: '1.0.0',
  is_default: false,
  gate_policy: null,
  mcp_enabled: false,
  last_gate_result: null,
  moved_at: n,
  moved_by_key_id: null,
  date_created: n,
  date_updated: n,
});

const family =
  (all: FamilyRelease[]): FamilyPages =>
  ({ offset, limit, sort }) => {
    const ordered = sort.startsWith('-') ? all : [...all].reverse();
    const page: Page<FamilyRelease> = {
      data: ordered.slice(offset, offset + limit),
      pagination: { total: all.length, offset, limit },
    };
    return Promise.resolve(page);
  };

const odd = Array.from({ length: 150 }, (_, at) => release('agent', 2 * (150 - at) - 1));
const even = Array.from({ length: 150 }, (_, at) => release('workflow', 2 * (150 - at)));

describe('the releases of several families', () => {
  it('are one list, page by page, in the order asked for', async () => {
    for (const sort of ['-id', 'id', '-moved_at', 'name']) {
      const seen: number[] = [];
      for (let offset = 0; offset < 300; offset += 70) {
        const { data, pagination } = await mergedReleases([family(odd), family(even)], { offset, limit: 70, sort });
        expect(pagination).toEqual({ total: 300, offset, limit: 70 });
        seen.push(...data.map(({ moved_at }) => moved_at));
      }
      const ascending = Array.from({ length: 300 }, (_, at) => at + 1);
      expect(seen).toEqual(sort.startsWith('-') ? ascending.reverse() : ascending);
    }
  });

  it('show only the fields of the list, and are bounded in depth', async () => {
    const page = { offset: 0, limit: 1, sort: '-id' };
    const { data } = await mergedReleases([family(odd), family(even)], page);
    expect(Object.keys(data[0]!)).not.toContain('date_created');
    const beyond = await mergedReleases([family(odd), family(even)], { ...page, offset: 1_000_000 });
    expect(beyond).toEqual({ data: [], pagination: { total: 300, offset: 1_000_000, limit: 1 } });
    await expect(mergedReleases([family(odd)], { ...page, offset: 1_000_001 })).rejects.toMatchObject({ status: 400 });
  });

  it('are found at any offset in few reads, and in the order of their bytes', async () => {
    let reads = 0;
    const counted =
      (of: FamilyPages): FamilyPages =>
      (page) => {
        reads++;
        return of(page);
      };
    for (const offset of [1, 137, 299]) {
      reads = 0;
      const { data } = await mergedReleases([counted(family(odd)), counted(family(even))], {
        offset,
        limit: 1,
        sort: 'id',
      });
      expect(data.map(({ moved_at }) => moved_at)).toEqual([offset + 1]);
      expect(reads).toBeLessThan(40);
    }
    const named = (name: string, n: number) => ({ ...release('agent', n), name });
    const one = ['b_1', 'a-2', 'Z'].map(named);
    const other = ['b-1', 'a_2', 'A'].map(named);
    const { data } = await mergedReleases([family(one), family(other)], { offset: 0, limit: 10, sort: 'name' });
    expect(data.map(({ name }) => name)).toEqual(['A', 'Z', 'a-2', 'a_2', 'b-1', 'b_1']);
  });
});
