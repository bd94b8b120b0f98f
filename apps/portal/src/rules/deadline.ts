import { ago, duration } from './formats.js';

export const deadlineWords = (at: number, now: number): string =>
  at > now ? `in ${duration(at - now)}` : `missed ${ago(at, now)}`;
