import { FirstTrace } from './first-trace.js';
import { RecordCalls } from './record-calls.js';
import { SendTraces } from './send-traces.js';

export const Elsewhere = () => (
  <div class="page">
    <div class="head">
      <h1>Watch an agent that runs elsewhere</h1>
    </div>
    <p>Its program stays where it is, and sends OpenTelemetry traces here.</p>
    <FirstTrace />
    <SendTraces />
    <RecordCalls />
  </div>
);
