import { allowedChild, parseNestedRef } from './nested-ref.js';

describe('a child of an allow-list', () => {
  it.each([
    ['clean', { ref: 'clean', pin: null }],
    ['clean@1.2.3', { ref: 'clean', pin: { version: '1.2.3' } }],
    ['clean@latest', { ref: 'clean', pin: { version: 'latest' } }],
    ['clean@stable', { ref: 'clean', pin: { release: 'stable' } }],
  ])('%s is read', (text, expected) => expect(parseNestedRef(text)).toEqual(expected));
});

describe('the call of a child', () => {
  const rules = { allow_inproc_nesting: true, inproc_nested_refs: ['clean', 'score@1.0.0', 'score@stable'] };

  it('needs nesting to be allowed', () =>
    expect(allowedChild({ ...rules, allow_inproc_nesting: false }, 'clean')).toBeNull());

  it.each([
    ['clean', { ref: 'clean', pin: null }],
    ['score', { ref: 'score', pin: { version: '1.0.0' } }],
    ['score@1.0.0', { ref: 'score', pin: { version: '1.0.0' } }],
    ['score@stable', { ref: 'score', pin: { release: 'stable' } }],
    ['score@2.0.0', null],
    ['clean@1.0.0', null],
    ['other', null],
    ['', null],
  ])('%s', (called, expected) => expect(allowedChild(rules, called)).toEqual(expected));

  it.each(['clean', 'clean@latest'])('of a published version executes the frozen version of %s', (called) =>
    expect(
      allowedChild({ ...rules, inproc_nested_refs: [called], frozen_refs: { [called]: '3.0.0' } }, called),
    ).toEqual({
      ref: 'clean',
      pin: { version: '3.0.0' },
    }),
  );
});
