import { busAddressOf, readBusAddress, withBusLogin } from './addresses.js';

describe('the address of a bus', () => {
  it('names one server or several, with one login', () => {
    expect(readBusAddress('nats://a:1')).toEqual({ servers: ['a:1'], user: '', password: '', isTls: false });
    const several = { servers: ['a:1', 'b', '[::1]:3'], user: 'u', password: 'p@ss', isTls: true };
    expect(readBusAddress('tls://u:p%40ss@a:1,b, tls://[::1]:3')).toEqual(several);
    expect(readBusAddress('tls://a:1,u:p%40ss@b,[::1]:3')).toEqual(several);
  });

  it.each(['a:1', 'http://a', 'nats://', 'nats://a,tls://b', 'nats://a,,b', 'nats://u:p@a,v:q@b', 'nats://a/path'])(
    'is not %s',
    (text) => {
      expect(readBusAddress(text)).toBeNull();
      expect(() => busAddressOf(text)).toThrow('NATS_URL must be');
    },
  );

  it('is given a login, another one, or none', () => {
    const url = withBusLogin('nats://a:1,b:2', { user: 'u', password: '#/@' });
    expect(url).toBe('nats://u:%23%2F%40@a:1,nats://b:2');
    expect(readBusAddress(url)).toMatchObject({ servers: ['a:1', 'b:2'], user: 'u', password: '#/@' });
    expect(withBusLogin(url, { user: 'v', password: 'q' })).toBe('nats://v:q@a:1,nats://b:2');
    expect(withBusLogin(url, null)).toBe('nats://a:1,nats://b:2');
  });
});
