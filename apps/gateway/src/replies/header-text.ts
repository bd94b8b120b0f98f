/**
 * A header value as HTTP can carry it; chosen: text beyond printable ASCII, such as a session id, is percent-encoded.
 */
export const headerText = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value.toWellFormed());
