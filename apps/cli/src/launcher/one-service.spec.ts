import { serviceOfCommand } from './one-service.js';

describe('the command of one service', () => {
  it.each([
    ['gateway', 'gateway', undefined],
    ['completions', 'completions', ['completions']],
    ['agents api', 'agents', ['api']],
    ['agents worker', 'agents-worker', ['worker']],
    ['agents', 'agents', []],
  ])('starts %s', (command, name, words) => {
    expect(serviceOfCommand(command.split(' '))).toMatchObject({ name, ...(words && { words }) });
  });

  it.each(['', 'agents-worker', 'agents scheduler', 'gateway worker', 'completions completions'])(
    'starts nothing for "%s"',
    (command) => expect(serviceOfCommand(command.split(' '))).toBeUndefined(),
  );
});
