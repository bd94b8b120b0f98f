import { parserErrorOf, parserErrorResponse } from './parser-errors.js';

describe('responses to malformed HTTP', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 431],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
    ['ERR_HTTP_REQUEST_TIMEOUT', 400],
    ['HPE_INVALID_METHOD', 400],
    [undefined, 400],
  ])('%s is %i', (code, status) => expect(parserErrorOf(code).status).toBe(status));

  it('carry the envelope and their true length', () => {
    const [head = '', body = ''] = parserErrorResponse(parserErrorOf('HPE_HEADER_OVERFLOW'), 'id').split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({ error: { status: 431, message: 'the headers are larger than 16 KiB' } });
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(head.startsWith('HTTP/1.1 431 ')).toBe(true);
  });
});
