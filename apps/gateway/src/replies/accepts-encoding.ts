/** Whether an `Accept-Encoding` header names the coding; `q=0` refuses it (RFC 9110, 12.5.3). `*` is not considered. */
export function acceptsEncoding(header: string | string[] | undefined, coding: 'br' | 'gzip'): boolean {
  const offers = String(header ?? '').split(',');
  return offers.some((offer) => {
    const [name, weight = ''] = offer.split(';');
    return name?.trim().toLowerCase() === coding && !/^\s*q\s*=\s*0(\.0*)?\s*$/i.test(weight);
  });
}
