import { analytics, type Task } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { span, traceId } from '../otel-client.js';
import { CLOSED_MS, Company, platform } from './fixture.js';

describe('a call whose answer names a dated release of its model', () => {
  it('costs what the model costs that was asked for', async () => {
    const company = await Company.make();
    await company.model('gpt-4o', { input_price_per_mtok: 2, output_price_per_mtok: 8 });
    await company.model('gpt-4o-2024-11-20', { input_price_per_mtok: 4, output_price_per_mtok: 16 });
    const trace = traceId();
    const root = span({ traceId: trace });
    const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 };
    const call = (asked: object, answered: string) => {
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.response.model': answered, ...asked, ...usage };
      return span({ traceId: trace, parentSpanId: root.spanId, attributes });
    };
    const asked = { 'gen_ai.request.model': 'gpt-4o' };
    await company.send([
      call(asked, 'gpt-4o-2024-08-06'),
      call({ 'llm.invocation_parameters': '{"model":"gpt-4o"}' }, 'gpt-4o-2024-08-06'),
      call(asked, 'gpt-4o-2024-11-20'),
      root,
    ]);
    await eventually('the task is there', async () => (await company.tasks()).length === 1, CLOSED_MS);
    const [task] = (await company.tasks()) as [Task];
    expect(task.usage.cost).toBeCloseTo(2 * 0.0028 + 0.0056, 9);
  }, 120_000);
});

describe('a call whose emitter says that it cost more than any call', () => {
  it('has the cost of its model, and leaves analytics readable', async () => {
    const company = await Company.make();
    await company.model('gpt-4o', { input_price_per_mtok: 2, output_price_per_mtok: 8 });
    const trace = traceId();
    const root = span({ traceId: trace });
    const call = () =>
      span({
        traceId: trace,
        parentSpanId: root.spanId,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.usage.input_tokens': 1000,
          'gen_ai.usage.output_tokens': 100,
          'gen_ai.usage.cost': 1.7e308,
        },
      });
    await company.send([call(), call(), root]);
    const [task] = (await company.ended(1)) as [Task];
    expect(task.usage.cost).toBeCloseTo(2 * 0.0028, 9);
    const today = { start_date: 0, end_date: Date.now() + 60_000, bucket: 'day' as const, group_by: 'none' as const };
    const { cost } = await platform.bus.call(analytics.endpoints.getSummary, today, company.caller);
    expect(cost).toBeCloseTo(2 * 0.0028, 9);
  }, 120_000);
});
