/** The bus's user for commands. */
export const ADMIN_USER = 'cli';
