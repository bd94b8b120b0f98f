import { PushStream } from '@signalbox/platform';
import { Scrubber } from '../secrets/scrubber.js';
import { collected } from './body.js';

class Source extends PushStream<Buffer> {
  emit(text: string): void {
    this.push(Buffer.from(text));
  }

  close(): void {
    this.finish();
  }

  protected onDemand(): void {}
  protected onOverflow(): void {}
}

const SECRET = 'the-secret-value';

class Observed extends Scrubber {
  bytesRead = 0;

  override incremental() {
    const scrubbing = super.incremental();
    const push = (chunk: Buffer): Buffer => {
      this.bytesRead += chunk.length;
      return scrubbing.push(chunk);
    };
    return { push, end: () => scrubbing.end() };
  }
}

describe('a collected body', () => {
  it('is scrubbed chunk by chunk as it arrives, and no event loop turn scrubs all of it', async () => {
    const [source, scrubber] = [new Source(), new Observed([SECRET])];
    const body = collected(source, 1000, scrubber);
    source.emit('one ');
    expect(scrubber.bytesRead).toBe(4);
    source.emit('two');
    expect(scrubber.bytesRead).toBe(7);
    source.close();
    expect(await body).toEqual({ body: Buffer.from('one two'), truncated: false });
  });

  it('has no secret that its chunks divide, and keeps what only looked like the beginning of one', async () => {
    const source = new Source();
    const body = collected(source, 1000, new Scrubber([SECRET]));
    for (const chunk of ['before the-sec', 'ret-value after the', '-sec']) source.emit(chunk);
    source.close();
    expect((await body).body.toString()).toBe('before [secret] after the-sec');
  });

  it('that is cut leaves out the possible beginning of a secret', async () => {
    const source = new Source();
    const body = collected(source, 14, new Scrubber([SECRET]));
    source.emit('before the');
    source.emit('-secret-value');
    expect(await body).toEqual({ body: Buffer.from('before '), truncated: true });
  });
});
