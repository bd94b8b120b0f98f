import { windowOf } from './window.js';

describe('the window of a list', () => {
  it('draws what is seen and a margin, whatever the total', () => {
    const { from, to, pages } = windowOf(36 * 50_000, 640, 36, 100_000, 100);
    expect([from, to]).toEqual([49_992, 50_026]);
    expect(pages).toEqual([499, 500]);
  });

  it('begins at the top and ends at the end', () => {
    expect(windowOf(0, 640, 36, 3, 100)).toEqual({ from: 0, to: 3, pages: [0] });
    expect(windowOf(36 * 99_990, 640, 36, 100_000, 100).to).toBe(100_000);
  });

  it('asks for the first page while nothing is known', () => {
    expect(windowOf(0, 640, 36, 0, 100)).toEqual({ from: 0, to: 0, pages: [0] });
  });
});
