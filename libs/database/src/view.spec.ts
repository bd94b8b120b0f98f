import { listSql, sortSql, type View } from './view.js';

const view: View = { resource: 'tree', table: 't', columns: ['id'], sort: { height: 't.height' } };

describe('sortSql', () => {
  it('sorts by the fields of the view and the fields of every row', () => {
    expect(sortSql(view, '-id')).toBe('t."id" DESC');
    expect(sortSql(view, 'height')).toBe('t.height ASC NULLS FIRST, t."id" ASC');
    expect(sortSql(view, '-height')).toBe('t.height DESC NULLS LAST, t."id" DESC');
  });

  it('sorts columns that are never null in the order of their index, in both directions', () => {
    expect(sortSql(view, '-date_created')).toBe('t.date_created DESC, t."id" DESC');
    expect(sortSql(view, 'date_created')).toBe('t.date_created ASC, t."id" ASC');
  });

  it.each(['weight', '', '-', '--id', 'toString', '__proto__', '-constructor', 't.id; DROP TABLE t'])(
    'refuses to sort by %j',
    (sort) => {
      expect(sortSql(view, sort)).toBeNull();
    },
  );
});

describe('a list far down', () => {
  const page = { offset: 5000, limit: 2, sort: 'id', filters: [{ sql: 't.parent = ?', value: 3 }] };

  it('reads rows by their numbers, unless these are numbers within a parent', () => {
    expect(listSql(view, page, 't."id" ASC').text).toMatch(/= k\.serial LIMIT 1/);
    expect(listSql({ ...view, isNumberedInParent: true }, page, 't."id" ASC').text).not.toMatch(/k\.serial|c\.few\)/);
  });
});
