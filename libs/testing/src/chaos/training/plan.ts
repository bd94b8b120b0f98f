export const ROWS = 24;
/** Of each job at the provider. */
export const STEPS = 4;
/** Of each finetune run at the provider: one per split. */
export const FILES = 2;

export const WRITER = 'writer';
export const BASE = 'base';

export const fileOf = (at: number): string =>
  Array.from({ length: ROWS }, (_, row) => {
    const said = [
      { role: 'user', content: `question ${row} of ${at}` },
      { role: 'assistant', content: `answer ${row}` },
    ];
    return `${JSON.stringify({ messages: said })}\n`;
  }).join('');
