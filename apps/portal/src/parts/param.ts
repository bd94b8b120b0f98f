import { useLocation, useSearch } from 'wouter-preact';

export function useQueryParams(): [URLSearchParams, (changes: Record<string, string>) => void] {
  const search = useSearch();
  const [path, go] = useLocation();
  const change = (changes: Record<string, string>): void => {
    const params = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes))
      if (value === '') params.delete(name);
      else params.set(name, value);
    const query = params.toString();
    go(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  return [new URLSearchParams(search), change];
}

/** Lives in the address, so that it survives a reload and can be shared. */
export function useParam(name: string, otherwise = ''): [string, (value: string) => void] {
  const [params, change] = useQueryParams();
  return [params.get(name) ?? otherwise, (next) => change({ [name]: next === otherwise ? '' : next })];
}
