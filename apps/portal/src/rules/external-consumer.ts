import type { ExternalConsumer } from '@signalbox/sdk';

export const USUAL_BODY = '{ "input": "{{input}}", "messages": "{{messages}}" }';

/** Lines of `Name: value`; throws a sentence that names an invalid line. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(`A header is «Name: value», not «${line.trim()}».`);
      return [name, value];
    }),
  );
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The body must be JSON.');
  }
}

/** Throws a sentence about the invalid field. */
export function externalConsumerOf({
  consumer = '',
  version = '',
  url = '',
  headers = '',
  body_template = '',
  output_path = '',
}: Record<string, string>): ExternalConsumer {
  return {
    ...(consumer === '' ? {} : { agent_id: Number(consumer) }),
    ...(consumer === '' || version === '' ? {} : { version }),
    url,
    headers: headersOf(headers),
    ...(body_template.trim() === '' ? {} : { body_template: bodyOf(body_template) }),
    ...(output_path === '' ? {} : { output_path }),
  };
}
