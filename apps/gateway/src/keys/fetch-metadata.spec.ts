import { isOwnPage } from './fetch-metadata.js';

const OWN = 'http://localhost:3000';
const PUBLIC = 'https://signalbox.example';

describe('a request comes from a page of the platform', () => {
  it.each<[boolean, string, Record<string, string>]>([
    [true, 'POST', { 'sec-fetch-site': 'same-origin' }],
    [true, 'GET', { 'sec-fetch-site': 'none' }],
    [true, 'HEAD', { 'sec-fetch-site': 'none' }],
    [false, 'POST', { 'sec-fetch-site': 'none' }],
    [false, 'GET', { 'sec-fetch-site': 'same-site' }],
    [false, 'POST', { 'sec-fetch-site': 'same-site', origin: OWN }],
    [false, 'GET', { 'sec-fetch-site': 'cross-site' }],
    [false, 'GET', { 'sec-fetch-site': '' }],
    [true, 'POST', { origin: OWN, host: 'localhost:3000' }],
    [true, 'POST', { origin: OWN, host: 'LOCALHOST:3000' }],
    [true, 'DELETE', { origin: PUBLIC, host: 'inside:3000' }],
    [false, 'POST', { origin: 'http://localhost:3001', host: 'localhost:3000' }],
    [false, 'POST', { origin: 'null', host: 'localhost:3000' }],
    [false, 'POST', { host: 'localhost:3000' }],
    [true, 'GET', { host: 'localhost:3000' }],
    [true, 'HEAD', {}],
    [false, 'GET', { origin: 'http://elsewhere', host: 'localhost:3000' }],
  ])('%s: %s %j', (expected, method, headers) => expect(isOwnPage(method, headers, PUBLIC)).toBe(expected));
});
