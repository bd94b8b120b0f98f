const BYTES_PER_UNIT = 3;
/** Longer texts are measured before they are written; for shorter ones three bytes per character are reserved. */
const LONG_TEXT = 16_384;

export class GrowingBytes {
  private at = 0;

  constructor(private bytes: Buffer) {}

  get memory(): Buffer {
    return this.bytes;
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  int8(value: number): void {
    this.needs(1);
    this.bytes[this.at++] = value;
  }

  int16(value: number): void {
    this.needs(2);
    this.at = this.bytes.writeInt16BE(value, this.at);
  }

  int32(value: number): void {
    this.needs(4);
    this.at = this.bytes.writeInt32BE(value, this.at);
  }

  double(value: number): void {
    this.needs(8);
    this.at = this.bytes.writeDoubleBE(value, this.at);
  }

  text(value: string): void {
    this.needs(value.length > LONG_TEXT ? Buffer.byteLength(value) : value.length * BYTES_PER_UNIT);
    this.at += this.bytes.write(value, this.at);
  }

  zeroEnded(value: string): void {
    this.text(value);
    this.int8(0);
  }

  raw(value: Buffer): void {
    this.needs(value.length);
    this.at += value.copy(this.bytes, this.at);
  }

  /** Writes a 32-bit length before what `write` appends; the length includes itself when `inclusive`. */
  sized(write: () => void, inclusive = false): void {
    const begins = this.at;
    this.int32(0);
    write();
    this.bytes.writeInt32BE(this.at - begins - (inclusive ? 0 : 4), begins);
  }

  private needs(size: number): void {
    if (this.bytes.length - this.at >= size) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}
