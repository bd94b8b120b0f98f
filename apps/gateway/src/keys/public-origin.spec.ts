import { publicOriginsOf } from './public-origin.js';

describe('the origins of the public address', () => {
  it.each<[string, string[]]>([
    ['https://signalbox.example/', ['https://signalbox.example']],
    ['http://127.0.0.1:3000', ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']],
    ['http://localhost', ['http://localhost', 'http://127.0.0.1', 'http://[::1]']],
    ['http://[::1]:8080/', ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']],
    ['http://localhost.example:3000', ['http://localhost.example:3000']],
    ['', []],
  ])('%j: %j', (url, origins) => expect([...publicOriginsOf(url)]).toEqual(origins));
});
