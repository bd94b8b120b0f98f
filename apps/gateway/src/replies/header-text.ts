/** Percent-encodes a value that HTTP cannot carry: a session id, for instance, may be any text. */
export const headerText = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value.toWellFormed());
