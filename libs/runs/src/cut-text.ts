const markOf = (bytes: number): string => ` [cut: ${bytes} bytes]`;

/**
 * The beginning of a text of more than `max` UTF-16 units, with a mark that says how many bytes of it are missing. The
 * result has at most `max` units and splits no surrogate pair.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = max - markOf(Buffer.byteLength(text)).length;
  const kept = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  return kept + markOf(Buffer.byteLength(text.slice(kept.length)));
}
