/** Rows of each uploaded file. */
export const ROWS = 24;
/** Steps of each job at the provider. */
export const STEPS = 4;
/** Files of each finetune run at the provider: one of each split. */
export const FILES = 2;

/** Names of the models of the fake provider. */
export const WRITER = 'writer';
export const BASE = 'base';

/** The file of a dataset. */
export const fileOf = (at: number): string =>
  Array.from({ length: ROWS }, (_, row) => {
    const said = [
      { role: 'user', content: `question ${row} of ${at}` },
      { role: 'assistant', content: `answer ${row}` },
    ];
    return `${JSON.stringify({ messages: said })}\n`;
  }).join('');
