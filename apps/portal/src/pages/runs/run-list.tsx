import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Empty } from '../../parts/empty.js';
import { FilterBar } from '../../parts/filters/filter-bar.js';
import { useQueryParams } from '../../parts/param.js';
import { Rows } from '../../parts/rows.js';
import { useSelection } from '../../parts/rows/selection.js';
import { SidePanel } from '../../parts/side-panel.js';
import { inputOf, setFilters } from '../../rules/filters.js';
import { ChosenActions } from './chosen-actions.js';
import type { Family } from './family.js';

export function RunList<T>({ family }: { family: Family<T> }) {
  const { filters, orders, columns, keyOf, pathOf, peek } = family;
  const [params, change] = useQueryParams();
  const [, go] = useLocation();
  const [peeked, setPeeked] = useState<T | null>(null);
  const selection = useSelection(keyOf);
  const given = setFilters(filters, params);
  const sort = params.get('sort') ?? '-id';
  const named = [...given, 'sort'].map((name) => `${name}=${params.get(name) ?? ''}`).join('&');
  const input = () => ({ ...inputOf(filters, params, Date.now()), ...(sort === '-id' ? {} : { sort }) });
  const clear = (): void => change(Object.fromEntries(given.map((name) => [name, ''])));
  return (
    <div class={`split ${peeked === null ? '' : 'open'}`}>
      <div class="stack">
        <FilterBar filters={filters} orders={orders} />
        <Rows<T>
          label={family.label}
          name={['runs', family.label, named]}
          columns={columns}
          live={sort === '-id' ? 'newest' : 'any'}
          load={(offset, limit, signal) => family.load({ ...input(), offset, limit }, signal)}
          keyOf={keyOf}
          open={(row) => go(pathOf(row))}
          peek={{ isOpen: peeked !== null, show: setPeeked }}
          selection={selection}
          actions={<ChosenActions family={family} selection={selection} />}
          empty={
            given.length > 0 ? (
              <Empty title="No run matches these filters.">
                <button onClick={clear}>Clear filters</button>
              </Empty>
            ) : (
              <Empty title={family.empty} />
            )
          }
        />
        <p class="soft keys-line">
          <kbd>J</kbd> <kbd>K</kbd> move <kbd>Space</kbd> peek <kbd>Enter</kbd> open <kbd>X</kbd> choose{' '}
          <kbd>Shift</kbd> with a move or a click: several
        </p>
      </div>
      {peeked !== null && (
        <SidePanel title={family.label === 'Requests' ? 'Request' : 'Run'} close={() => setPeeked(null)}>
          {peek(peeked)}
        </SidePanel>
      )}
    </div>
  );
}
