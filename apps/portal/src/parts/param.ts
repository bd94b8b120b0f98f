import { useLocation, useSearch } from 'wouter-preact';

/** A filter that lives in the address, so that it survives a reload and can be sent to others. */
export function useParam(name: string, otherwise = ''): [string, (value: string) => void] {
  const search = useSearch();
  const [path, go] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? otherwise;
  const set = (next: string): void => {
    const params = new URLSearchParams(location.search);
    if (next === otherwise || next === '') params.delete(name);
    else params.set(name, next);
    const query = params.toString();
    go(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  return [value, set];
}
