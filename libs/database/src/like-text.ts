export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** For a text inside JSON, where quotes and control characters are escaped. */
export const likeTextInJson = (text: string): string => likeText(JSON.stringify(text).slice(1, -1));
