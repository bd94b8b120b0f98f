import type { TestInput } from '@signalbox/sdk';
import { JsonView } from '../../parts/json-view.js';
import { Messages } from '../../parts/messages.js';

export const Asked = ({ input: { messages, input } }: { input: TestInput }) =>
  messages?.length ? <Messages messages={messages} /> : <JsonView label="Input" value={input} />;
