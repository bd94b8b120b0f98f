import { ClientAddresses } from '../src/limits/client-address.js';

const addressOf = (proxies: string[], remoteAddress: string, forwarded?: string) =>
  new ClientAddresses(proxies).of({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as never);

describe('the address of a client', () => {
  it.each<[string, string[], string, string | undefined, string]>([
    ['is that of its connection', [], '192.0.2.1', undefined, '192.0.2.1'],
    ['is not what a client claims', [], '192.0.2.1', '198.51.100.9', '192.0.2.1'],
    ['is not what a client besides the proxies claims', ['10.0.0.0/8'], '192.0.2.1', '198.51.100.9', '192.0.2.1'],
    ['is what a trusted proxy appended', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.9', '198.51.100.9'],
    ['is the last that no proxy has', ['10.0.0.0/8'], '10.1.2.3', '6.6.6.6, 198.51.100.9, 10.9.9.9', '198.51.100.9'],
    ['stays the proxy when nothing readable arrived', ['10.0.0.0/8'], '10.1.2.3', 'unknown', '10.1.2.3'],
    ['is read from IPv4-mapped IPv6', ['10.0.0.1'], '::ffff:10.0.0.1', '::ffff:198.51.100.9', '198.51.100.9'],
    ['is read beside its port', ['10.0.0.0/8'], '10.1.2.3', '6.6.6.6, 198.51.100.9:51234', '198.51.100.9'],
    ['is read beside its port in IPv6', ['10.0.0.0/8'], '10.1.2.3', '[2001:db8:0:1::7]:443', '2001:db8:0:1::/64'],
    ['stays the proxy when brackets hold no address', ['10.0.0.0/8'], '10.1.2.3', '[]:443', '10.1.2.3'],
    ['is the network of an IPv6 client', [], '2001:db8:0:1:2:3:4:5', undefined, '2001:db8:0:1::/64'],
    ['is the same network when shortened', ['fd00::/8'], 'fd00::1', '2001:db8:0:1::7', '2001:db8:0:1::/64'],
    ['is the network of the loopback address', [], '::1', undefined, '0:0:0:0::/64'],
  ])('%s', (_says, proxies, remote, forwarded, expected) => {
    expect(addressOf(proxies, remote, forwarded)).toBe(expected);
  });
});
