import { authorization, hash } from './s3-signature.js';

// The examples of the S3 reference («Authenticating Requests: Using the Authorization Header»).
const signer = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const HOST = 'https://examplebucket.s3.amazonaws.com';

function signature(method: string, path: string, body = '', more: Record<string, string> = {}): string {
  const headers = { ...more, 'x-amz-content-sha256': hash(body), 'x-amz-date': '20130524T000000Z' };
  return authorization({ method, url: new URL(HOST + path), headers }, signer).replace(/.*Signature=/, '');
}

describe('a signature', () => {
  it('matches the reference for GET of an object', () => {
    expect(signature('GET', '/test.txt', '', { range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  it('matches the reference for PUT of an object with a character to encode', () => {
    const more = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    expect(signature('PUT', '/test$file.text', 'Welcome to Amazon S3.', more)).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
  });

  it('matches the reference for queries without and with values', () => {
    expect(signature('GET', '/?lifecycle')).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
    expect(signature('GET', '/?max-keys=2&prefix=J')).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });

  it('names key, scope and signed headers', () => {
    const headers = { 'x-amz-content-sha256': hash(''), 'x-amz-date': '20130524T000000Z' };
    expect(authorization({ method: 'GET', url: new URL(`${HOST}/a`), headers }, signer)).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
  });
});
