import type { Caller, RankedFound, FoundType } from '@signalbox/contracts';
import type { Database } from '../database.js';
import { anySeparator, isIdOf, type NamedFamily, wordPattern } from './named-family.js';

export interface NameQuery {
  q: string;
  types?: readonly FoundType[];
  limit: number;
}

/** Lower case as the database makes it, because its rules depend on its locale. */
const PATTERNS = `SELECT lower($2::text) AS q, lower($3::text) || '%' AS beginning, '%' || lower($3::text) || '%' AS part,
  ARRAY(SELECT '%' || before || lower($3::text) || '%' FROM unnest(ARRAY[' ', '-', '\\_', '.', '/', ':']) before) AS words,
  lower($4::text) AS exact OFFSET 0`;

/**
 * Whether a name or a word of it begins with the query. The cheapest comparison is first, because most names do not
 * contain the query at all.
 */
const MATCHES = `CASE WHEN n.name LIKE w.part THEN (n.name LIKE w.beginning OR n.name LIKE ANY (w.words))
  AND (w.exact IS NULL OR ' ' || translate(n.name, '-_./:', '     ') LIKE w.exact) ELSE false END`;

const RANK = 'CASE WHEN n.name = w.q THEN 1 WHEN n.name LIKE w.beginning THEN 2 ELSE 3 END';

/**
 * Finds resources of one service by name or id; a service serves its contract of names with a subclass. SQL: one
 * statement over all families, each with its own limit. Names are compared row by row: row-level security rules out an
 * index over a pattern.
 */
export class NamedResources {
  constructor(
    private readonly db: Database,
    private readonly families: readonly NamedFamily[],
  ) {}

  findNames({ input, caller }: { input: NameQuery; caller: Caller }): Promise<RankedFound[]> {
    return this.find(caller.companyId, input);
  }

  /** Best first: id equal to the query, then the name or a word of it that begins with the query. */
  async find(companyId: number, { q, types, limit }: NameQuery): Promise<RankedFound[]> {
    const asked = this.families.filter(({ type }) => types?.includes(type) ?? true);
    const values = [q.trim(), anySeparator(q), wordPattern(q), limit];
    const selects = asked.flatMap((family) => [
      ...(isIdOf(family.idType ?? 'int', q.trim()) ? [selectSql(family, '0', idSql(family))] : []),
      ...(family.name ? [selectSql(family, RANK, MATCHES)] : []),
    ]);
    if (selects.length === 0) return [];
    const rows = await this.db.select<RankedFound>(
      companyId,
      `SELECT x.* FROM s, LATERAL (${PATTERNS}) w, LATERAL (
         SELECT DISTINCT ON (f.type, f.id) f.* FROM (${selects.join(' UNION ALL ')}) f
         ORDER BY f.type, f.id, f.rank OFFSET 0) x
       ORDER BY x.rank, length(x.name), x.name, x.type LIMIT $5`,
      values,
    );
    return rows.map((row) => ({ ...row, url_path: this.urlOf(row) }));
  }

  private urlOf({ type, id, url_path }: RankedFound): string {
    const family = this.families.find((each) => each.type === type);
    return family?.idType === 'text' ? family.path.replace('{id}', encodeURIComponent(String(id))) : url_path;
  }
}

const idSql = ({ id = 't.id', idType = 'int' }: NamedFamily): string =>
  idType === 'text' ? `lower(${id}) = w.q` : `${id} = $2::text::${idType}`;

function parentSql({ parent }: NamedFamily): string {
  if (!parent) return 'NULL::jsonb';
  const { type, table, id, name } = parent;
  return `(SELECT jsonb_build_object('type', '${type}', 'id', p.id, 'name', p.${name})
    FROM ${table} p WHERE p.company_id = t.company_id AND p.id = ${id})`;
}

function selectSql(family: NamedFamily, rank: string, condition: string): string {
  const { type, table, name = 'NULL::text', id = 't.id', path, alive = 't.deleted_at IS NULL' } = family;
  // A parameter of the path is the id or a column; its name comes from code, never from input.
  const url = path
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 0 ? `'${part}'` : part === 'id' ? id : `t.${part}`))
    .join(' || ');
  const found = `SELECT t.*, ${rank} AS rank_of FROM ${table} t, LATERAL (SELECT lower(${name}) AS name OFFSET 0) n
    WHERE t.company_id = s.company AND ${alive} AND ${condition} ORDER BY rank_of, length(${name}) LIMIT $5`;
  return `(SELECT '${type}' AS type, to_jsonb(${id}) AS id, ${name} AS name, ${parentSql(family)} AS parent,
    ${url} AS url_path, t.rank_of AS rank FROM (${found}) t)`;
}
