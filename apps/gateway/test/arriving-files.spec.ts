import { PassThrough, Readable } from 'node:stream';
import { readForm } from '../src/bodies/multipart-form.js';
import { bytesOf } from '../src/bodies/upload-slots.js';

const LIMITS = { graceMs: 100, bytesPerSecond: 1000 };

async function read(content: PassThrough, onChunk: () => Promise<void> = () => Promise.resolve()): Promise<number> {
  let length = 0;
  for await (const chunk of bytesOf(content, LIMITS)) {
    length += chunk.length;
    await onChunk();
  }
  return length;
}

describe('the bytes of a file', () => {
  it('that stop to arrive are an error', async () => {
    const content = new PassThrough();
    content.write('x');
    await expect(read(content)).rejects.toMatchObject({ status: 400, message: 'the request did not arrive in time' });
  });

  it('may take the time that their number allows, and that their reader takes', async () => {
    const content = new PassThrough();
    content.write(Buffer.alloc(1000));
    // Longer than the grace: once for the reader, and once for the sender, who has a second for a thousand bytes.
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 200));
    const reading = read(content, slowly);
    setTimeout(() => content.end('end'), 500);
    expect(await reading).toBe(1003);
  });

  it('that end early are an error', async () => {
    const content = new PassThrough();
    const reading = read(content);
    content.destroy(new Error('reset'));
    await expect(reading).rejects.toMatchObject({ status: 400, message: 'the body is not complete' });
  });
});

describe('the fields of a form', () => {
  const PART = '--x\r\nContent-Disposition: form-data; name=';
  const TYPE = 'multipart/form-data; boundary=x';
  const bounds = { files: 1, fields: 1, fieldBytes: 100 };
  const whole = async (content: Readable): Promise<string> => Buffer.concat(await content.toArray()).toString();

  it.each([
    ['before its file', `${PART}"key"\r\n\r\na`],
    ['behind its file', `${PART}"file"; filename="a"\r\n\r\nabc\r\n${PART}"key"\r\n\r\na`],
  ])('that stop to arrive %s are an error', async (_, text) => {
    const body = new PassThrough();
    body.write(text);
    const reading = readForm(body, TYPE, bounds, ({ content }) => whole(content), 100);
    await expect(reading).rejects.toMatchObject({ status: 400, message: 'the request did not arrive in time' });
  });

  it.each([
    ['a field', `--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n`],
    ['a file', `--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\na\r\n--x--\r\n`],
  ])('have a name: without it %s is an error', async (_, text) => {
    const reading = readForm(Readable.from([Buffer.from(text)]), TYPE, bounds, ({ content }) => whole(content));
    await expect(reading).rejects.toMatchObject({ status: 400, message: 'a part of the form has no name' });
  });

  it.each([
    ['that ends early', TYPE, `${PART}"file"; filename="a"\r\n\r\nabc`, 'the form is not complete'],
    ['of no boundary', 'multipart/form-data', '', 'the Content-Type of the form does not name a valid boundary'],
    [
      'of a boundary that is too long',
      `multipart/form-data; boundary=${'x'.repeat(300)}`,
      '',
      'the Content-Type of the form does not name a valid boundary',
    ],
  ])('are refused in our own words for a form %s', async (_, type, text, message) => {
    const reading = readForm(Readable.from([Buffer.from(text)]), type, bounds, ({ content }) => whole(content));
    await expect(reading).rejects.toMatchObject({ status: 400, message });
  });

  it('are no fault of the client when the file cannot be taken', async () => {
    const defect = new TypeError('Cannot read properties of undefined');
    const text = `${PART}"file"; filename="a"\r\n\r\nabc\r\n--x--\r\n`;
    const reading = readForm(Readable.from([Buffer.from(text)]), TYPE, bounds, () => Promise.reject(defect));
    await expect(reading).rejects.toBe(defect);
  });

  it('whose connection is lost are not complete', async () => {
    const body = new PassThrough();
    body.write(`${PART}"file"; filename="a"\r\n\r\nabc`);
    const reading = readForm(body, TYPE, bounds, ({ content }) => whole(content));
    body.destroy(new Error('read ECONNRESET'));
    await expect(reading).rejects.toMatchObject({ status: 400, message: 'the body is not complete' });
  });

  it('do not limit how long a file arrives', async () => {
    const body = new PassThrough();
    body.write(`${PART}"file"; filename="a"\r\n\r\nabc`);
    const reading = readForm(body, TYPE, bounds, ({ content }) => whole(content), 100);
    setTimeout(() => body.end('def\r\n--x--\r\n'), 300);
    expect((await reading).files).toEqual([{ field: 'file', value: 'abcdef' }]);
  });
});
