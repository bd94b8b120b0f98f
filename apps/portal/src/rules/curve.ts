export interface Point {
  x: number;
  y: number;
}

/** Minimum and maximum, never equal. */
export function rangeOf(values: readonly number[]): [least: number, most: number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

/** For an SVG polyline; the largest y is at the top. */
export function polyline(
  points: readonly Point[],
  [left, right]: [number, number],
  [bottom, top]: [number, number],
  [width, height]: [number, number],
): string {
  return points
    .map(({ x, y }) => {
      const at = [((x - left) / (right - left)) * width, (1 - (y - bottom) / (top - bottom)) * height];
      return at.map((value) => Number(value.toFixed(2))).join(',');
    })
    .join(' ');
}
