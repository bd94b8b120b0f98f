/** The origin that browsers send for the public address of the platform; empty when there is none. */
export const publicOriginOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
