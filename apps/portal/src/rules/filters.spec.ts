import { type Filter, inputOf, setFilters } from './filters.js';

const FILTERS: Filter[] = [
  { name: 'text', label: 'Text', kind: 'text' },
  { name: 'status', label: 'State', kind: 'choices', values: ['FAILED', 'COMPLETED'] },
  { name: 'min_cost', label: 'Cost', kind: 'number' },
  { name: 'agent_id', label: 'Agent', kind: 'names', of: 'agents' },
  { name: 'is_corrected', label: 'Corrected', kind: 'choice', values: ['true', 'false'] },
];
const of = (query: string) => inputOf(FILTERS, new URLSearchParams(query), 100_000_000);

describe('the filters in an address', () => {
  it('are the input of the list', () =>
    expect(of('text=late+order&status=FAILED,COMPLETED&min_cost=0.5&agent_id=3&is_corrected=true&sort=cost')).toEqual({
      text: 'late order',
      status: ['FAILED', 'COMPLETED'],
      min_cost: 0.5,
      agent_id: 3,
      is_corrected: true,
    }));

  it('leave out what a list cannot be asked', () =>
    expect(of('status=NONE&min_cost=many&text=++&is_corrected=perhaps&start_date=soon')).toEqual({}));

  it('have a span that ends now, or two moments', () => {
    expect(of('since=1h')).toEqual({ start_date: 96_400_000 });
    expect(of('start_date=5&end_date=9')).toEqual({ start_date: 5, end_date: 9 });
  });

  it('are counted without the order', () =>
    expect(setFilters(FILTERS, new URLSearchParams('sort=cost&text=a&since=1h'))).toEqual(['text', 'since']));
});
