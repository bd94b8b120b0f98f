export const ADMIN_USER = 'cli';
