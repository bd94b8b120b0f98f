// Compiled, never run: each expected error below fails the build when the mistake compiles.
import { type Agent, type Download, type EventStream, type Page, type Signalbox, type Task } from '@signalbox/sdk';

declare const client: Signalbox;

export const agent = (): Promise<Agent> => client.agents.get({ agent_id: 1 });
export const created = () => client.agents.create({ application_id: 1, agent_name: 'Helper' });
export const page = async (): Promise<Page<{ id: number }>> => await client.agents.list();
export const streamed = (): EventStream<{ type: string; seq: number }> =>
  client.agents.invoke({ agent_id: 1, message: 'hello', stream: true });
export const exported = (): Promise<Download> => client.testSets.export({ test_set_id: 1, format: 'csv' });
export async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const each of client.agents.list({ status: ['ENABLED'] })) found.push(each.agent_name);
  return found;
}

// @ts-expect-error no such family
export const unknownFamily = () => client.robots;
// @ts-expect-error no such verb
export const unknownVerb = () => client.agents.explode({ agent_id: 1 });
// @ts-expect-error the parameter of the path is missing
export const noParameter = () => client.agents.get({});
// @ts-expect-error the parameter of the path has another type
export const wrongParameter = () => client.agents.get({ agent_id: '1' });
// @ts-expect-error a required field is missing
export const noName = () => client.agents.create({ application_id: 1 });
// @ts-expect-error the field is unknown
export const unknownField = () => client.agents.list({ colour: 'red' });
// @ts-expect-error the word is none of the enum
export const unknownWord = () => client.agents.create({ application_id: 1, agent_name: 'a', execution_mode: 'fast' });
// @ts-expect-error the reply is an agent and no task
export const wrongReply = (): Promise<Task> => client.agents.get({ agent_id: 1 });
// @ts-expect-error a stream is no promise of one reply
export const wrongStream = () => client.agents.invoke({ agent_id: 1, stream: true }).then((reply) => reply.choices);
// @ts-expect-error a file is read, not an object of fields
export const wrongFile = () => client.testSets.export({ test_set_id: 1 }).then(({ items }) => items);
