/** A `LIKE` pattern that matches texts which contain this one literally. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The same for a text inside of JSON, where quotes and control characters are escaped. */
export const likeTextInJson = (text: string): string => likeText(JSON.stringify(text).slice(1, -1));
