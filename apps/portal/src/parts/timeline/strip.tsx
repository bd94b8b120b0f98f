import { useMemo } from 'preact/hooks';
import { count } from '../../rules/formats.js';
import { sliced } from '../../rules/folds.js';
import type { Step } from '../../rules/timeline.js';

const SLICES = 160;
const HEIGHT = 36;

export function Strip({
  steps,
  revision,
  go,
}: {
  steps: readonly Step[];
  /** Counts the changes of the steps. */
  revision: number;
  go: (step: Step) => void;
}) {
  const slices = useMemo(() => sliced(steps, SLICES), [steps, revision]);
  const most = Math.max(1, ...slices.map((slice) => slice.count));
  const errors = steps.length === 0 ? 0 : slices.filter(({ hasError }) => hasError).length;
  const onClick = (event: MouseEvent): void => {
    if (!(event.currentTarget instanceof Element)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * SLICES);
    const near = slices.slice(Math.max(0, place)).find(({ first }) => first !== null);
    const step = steps[near?.first ?? steps.length - 1];
    if (step) go(step);
  };
  return (
    <svg
      class="overview"
      viewBox={`0 0 ${SLICES} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${count(steps.length)} steps over time; errors in ${errors} of ${SLICES} parts`}
      onClick={onClick}
    >
      {slices.map((slice, n) => {
        if (slice.count === 0) return null;
        // Logarithmic, so that a single step is visible next to thousands.
        const height = Math.max(4, (Math.log1p(slice.count) / Math.log1p(most)) * HEIGHT);
        return (
          <rect
            key={n}
            class={slice.hasError ? 'error-part' : ''}
            x={n}
            y={HEIGHT - height}
            width={0.8}
            height={height}
          />
        );
      })}
    </svg>
  );
}
