export const Order = ({
  name,
  at,
  last,
  move,
}: {
  name: string;
  at: number;
  last: number;
  move: (position: number) => void;
}) => (
  <>
    <button aria-label={`Move ${name} up`} aria-disabled={at === 0} onClick={() => at > 0 && move(at - 1)}>
      ↑
    </button>{' '}
    <button aria-label={`Move ${name} down`} aria-disabled={at === last} onClick={() => at < last && move(at + 1)}>
      ↓
    </button>{' '}
  </>
);
