import { BadUsage } from '../usage.js';
import { portalOptions } from './portal.js';

describe('signalbox portal', () => {
  it.each([
    [[], { company: null, isOpened: false }],
    [['--company', '7', '--open'], { company: 7, isOpened: true }],
    [['--company=7'], { company: 7, isOpened: false }],
  ])('takes the words %j', (words, options) => {
    expect(portalOptions(words)).toEqual(options);
  });

  it.each([[['7']], [['--compnay', '7']], [['--company', '0']]])('refuses %j', (words) => {
    expect(() => portalOptions(words)).toThrow(BadUsage);
  });
});
