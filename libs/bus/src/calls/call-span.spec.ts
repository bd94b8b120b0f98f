import { sharedTrace } from './call-span.js';

const traceparent = (digit: string, flags = '01') => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;

describe('work that several traces share', () => {
  it('is a part of the first one that is recorded, and linked to the others once', () => {
    const [silent, first, second] = [traceparent('a', '00'), traceparent('b'), traceparent('c')];
    expect(sharedTrace([silent, undefined, first, second, first])).toEqual({ parent: first, links: [second] });
  });

  it('is not recorded when none of them is', () => {
    const silent = traceparent('a', '00');
    expect(sharedTrace([silent, traceparent('b', '00')])).toEqual({ parent: silent, links: [] });
  });

  it('begins a new trace without one', () =>
    expect(sharedTrace([undefined, 'anything else'])).toEqual({ parent: null, links: [] }));
});
