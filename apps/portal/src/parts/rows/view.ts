import { type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';

export interface View {
  box: RefObject<HTMLDivElement>;
  top: number;
  height: number;
  rowHeight: number;
  onScroll: () => void;
  reveal: (row: number) => void;
}

const HEIGHT = 640;
/** A row at least this far away comes into the middle, not to the edge. */
const JUMP = 20;

export function useView(): View {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ top: 0, height: HEIGHT });
  const rowHeight = document.documentElement.dataset.density === 'compact' ? 28 : 36;
  const reveal = (row: number): void => {
    const element = box.current;
    if (!element) return;
    const top = row * rowHeight;
    // The header covers the first row height.
    const above = element.scrollTop - top;
    const below = top + 2 * rowHeight - (element.scrollTop + element.clientHeight);
    if (Math.max(above, below) > JUMP * rowHeight) element.scrollTop = top - element.clientHeight / 3;
    else if (above > 0) element.scrollTop = top;
    else if (below > 0) element.scrollTop += below;
  };
  const onScroll = (): void => {
    if (box.current) setAt({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  return { box, ...at, rowHeight, onScroll, reveal };
}
