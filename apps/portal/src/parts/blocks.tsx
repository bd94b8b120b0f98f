import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Above and below the viewport. */
const MARGIN = '1200px 0px';

/** Virtual scrolling for blocks of any height. A block that has been seen keeps its height when it leaves. */
export function Blocks({
  count,
  guess,
  children,
}: {
  count: number;
  /** Estimated height of an undrawn block, in pixels. */
  guess: number;
  children: (block: number) => ComponentChildren;
}) {
  return (
    <div class="blocks">
      {Array.from({ length: count }, (_, n) => (
        <Block key={n} guess={guess} isFirst={n === 0}>
          {() => children(n)}
        </Block>
      ))}
    </div>
  );
}

function Block({ guess, isFirst, children }: { guess: number; isFirst: boolean; children: () => ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(guess);
  const [isNear, setIsNear] = useState(isFirst);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const near = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        // Measured before it leaves, so that what is below does not move.
        if (!entry.isIntersecting && element.childElementCount > 0) height.current = entry.boundingClientRect.height;
        setIsNear(entry.isIntersecting);
      },
      { root: document.getElementById('main'), rootMargin: MARGIN },
    );
    near.observe(element);
    return () => near.disconnect();
  }, []);
  return (
    <div ref={box} style={{ minHeight: isNear ? undefined : `${height.current}px` }}>
      {isNear && children()}
    </div>
  );
}
