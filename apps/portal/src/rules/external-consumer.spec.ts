import { externalConsumerOf, headersOf } from './external-consumer.js';

const URL_ONLY = { url: 'https://desk.example/ask' };

it('leaves out what is empty', () => {
  expect(externalConsumerOf(URL_ONLY)).toEqual({ ...URL_ONLY, headers: {} });
  // A version needs an agent.
  expect(externalConsumerOf({ ...URL_ONLY, version: '1.0.0' })).toEqual({ ...URL_ONLY, headers: {} });
});

it('reads headers, a body and the agent', () => {
  const given = {
    ...URL_ONLY,
    ...{ consumer: '7', version: '1.0.0', output_path: 'answer.text' },
    headers: 'Authorization: Bearer {{secrets.TOKEN}}\n\nX-Time: 10:30 ',
    body_template: '{"q": "{{input}}"}',
  };
  expect(externalConsumerOf(given)).toEqual({
    ...URL_ONLY,
    ...{ agent_id: 7, version: '1.0.0', output_path: 'answer.text' },
    headers: { Authorization: 'Bearer {{secrets.TOKEN}}', 'X-Time': '10:30' },
    body_template: { q: '{{input}}' },
  });
});

it('says what is wrong', () => {
  expect(() => headersOf('no header')).toThrow('A header is «Name: value», not «no header».');
  expect(() => externalConsumerOf({ ...URL_ONLY, body_template: '{' })).toThrow('The body must be JSON.');
});
