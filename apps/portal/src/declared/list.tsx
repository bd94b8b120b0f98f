import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Empty } from '../parts/empty.js';
import { FilterBar } from '../parts/filters/filter-bar.js';
import { useQueryParams } from '../parts/param.js';
import { Rows } from '../parts/rows.js';
import { ScopedButton } from '../parts/scoped-button.js';
import { inputOf, setFilters } from '../rules/filters.js';
import type { Declaration, Ids, Listing } from './declaration.js';
import { ItemFormDialog } from './item-form.js';

const ORDERS = [
  ['-id', 'newest'],
  ['id', 'oldest'],
  ['-date_updated', 'last changed'],
] as const;

/** Also within the page of a parent; `first` is shown without rows. */
export function DeclaredList<T>({ of, ids = {}, first }: { of: Listing<T>; ids?: Ids; first: ComponentChildren }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [params] = useQueryParams();
  const sort = params.get('sort');
  const input = { ...inputOf(of.filters, params, 0), ...(sort === null ? {} : { sort }) };
  const isFiltered = setFilters(of.filters, params).length > 0;
  return (
    <>
      <FilterBar filters={of.filters} orders={ORDERS} hasSpan={false} />
      <Rows<T>
        label={of.title}
        name={[of.title, ids, input]}
        columns={of.columns}
        keyOf={(row) => String(of.idOf(row))}
        {...(of.live ? { live: of.live } : {})}
        load={(offset, limit, signal) => of.list(api, { ...input, offset, limit }, ids, signal)}
        open={(row) => go(`${of.path(ids)}/${of.idOf(row)}`)}
        empty={isFiltered ? <Empty title={`No ${of.noun} matches.`} /> : <Empty title={of.about}>{first}</Empty>}
      />
    </>
  );
}

export const FIRST = 'Make the first one';

export function NewItem<T, M, C>({ of, ids = {}, label }: { of: Declaration<T, M, C>; ids?: Ids; label?: string }) {
  const { api } = usePortal();
  const cache = useQueryClient();
  const [, go] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const { make } = of;
  if (make === undefined) return null;
  async function submit(value: Record<string, unknown>): Promise<void> {
    if (make === undefined) return;
    // The fields of the form are those of the input, which the declaration checks.
    const made = await make.submit(api, value as M, ids);
    await cache.invalidateQueries({ queryKey: [of.title] });
    setIsOpen(false);
    go(`${of.path(ids)}/${of.idOf(made)}`);
  }
  return (
    <>
      <ScopedButton scope={make.scope} kind="primary" act={() => setIsOpen(true)}>
        {label ?? `New ${of.noun}`}
      </ScopedButton>
      {isOpen && (
        <ItemFormDialog
          title={`New ${of.noun}`}
          action="Make it"
          form={make}
          submit={submit}
          close={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
