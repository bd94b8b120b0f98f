import { derivedUuid } from './derived-uuid.js';

it('derives the ids that processes of earlier releases derive', () => {
  expect(derivedUuid('workflow action t1/3', 4)).toBe('4b0ff076-4cce-42da-8c87-7f33fdd8c9df');
  expect(derivedUuid('monitors 1 x')).toBe('205765e9-0b15-88ec-844e-252822058494');
});
