import { s3Address } from './s3-address.js';

describe('the address of a bucket', () => {
  it('is read from a URL', () => {
    expect(s3Address('s3://KEY:s%2Fe%3Dc@store.example.com/my-bucket?region=eu-central-1')).toEqual({
      origin: 'https://store.example.com',
      authority: 'store.example.com:443',
      bucket: 'my-bucket',
      prefix: '',
      accessKey: 'KEY',
      secretKey: 's/e=c',
      sessionToken: null,
      region: 'eu-central-1',
      caFile: null,
    });
    expect(s3Address('s3://K:S@store:9000/bucket?ca_file=/etc/ca.pem')).toMatchObject({
      origin: 'https://store:9000',
      caFile: '/etc/ca.pem',
    });
    expect(s3Address('s3://K:S@minio:9000/bucket/a/b/?tls=false')).toMatchObject({
      origin: 'http://minio:9000',
      authority: 'minio:9000',
      prefix: 'a/b/',
      region: 'us-east-1',
    });
  });

  it('is refused without repeating it', () => {
    const bad = [
      's3://K:hidden@host',
      's3://K:hidden@host/B',
      's3://K:hidden@host/bucket/a%2Fb',
      's3://hidden@host/bucket',
      's3:hidden',
      'gs://K:hidden@host/bucket',
      'hidden',
    ];
    for (const text of bad) {
      let message = '';
      try {
        s3Address(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect([text, message]).toEqual([text, expect.stringMatching(/^OBJECT_STORE_URL (?!.*hidden)/)]);
    }
  });
});
