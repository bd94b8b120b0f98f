import { s3Address } from './s3-address.js';
import { signedHeaders } from './s3-signature.js';

// The examples of the S3 reference («Authenticating Requests: Using the Authorization Header»).
const KEYS = 'AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI%2FK7MDENG%2FbPxRfiCYEXAMPLEKEY';
const address = s3Address(`s3://${KEYS}@examplebucket.s3.amazonaws.com/bucket`);
const TIME = { 'X-Amz-Date': '20130524T000000Z' };

function authorization(path: string): string {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`);
  return signedHeaders({ method: 'GET', url, headers: TIME }, address).authorization ?? '';
}

describe('a signature', () => {
  it('names key, scope and signed headers, and matches the reference for a query without a value', () => {
    expect(authorization('/?lifecycle')).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
        'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    );
  });

  it('matches the reference for a query with values', () => {
    expect(authorization('/?max-keys=2&prefix=J')).toContain(
      'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });

  it('covers the token of temporary credentials', () => {
    const temporary = s3Address(`s3://${KEYS}@examplebucket.s3.amazonaws.com/bucket?session_token=a%2Fb%3D`);
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
    const headers = signedHeaders({ method: 'GET', url, headers: TIME }, temporary);
    expect(headers['x-amz-security-token']).toBe('a/b=');
    expect(headers.authorization).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token');
  });
});
