import type { WorkflowsCreateInput } from '@signalbox/sdk';

export interface Example {
  key: string;
  title: string;
  says: string;
  name: string;
  fields: Omit<WorkflowsCreateInput, 'workflow_ref_name'> & { language: 'javascript' | 'typescript' | 'python' };
}

const greet = `// The return value becomes the output of the run.
async function execute(ctx) {
  ctx.log('info', 'greeting ' + ctx.input.name);
  const completion = await ctx.chat.completions.create({
    messages: [{ role: 'user', content: 'Say hello to ' + ctx.input.name }],
  });
  return { greeting: completion.choices[0].message.content };
}
`;

const report = `interface Input {
  lines: string[];
  urgent?: boolean;
}

// Logs and events can be seen while it runs; the report is a file to download.
async function execute(ctx: any): Promise<{ count: number; report: string }> {
  const input: Input = ctx.input;
  const rows: string[] = [];
  for (const [n, line] of input.lines.entries()) {
    if (line.trim() === '') {
      ctx.log('warn', 'line ' + (n + 1) + ' is empty');
      continue;
    }
    rows.push((input.urgent ? '! ' : '- ') + line.trim());
    ctx.emit({ done: n + 1, of: input.lines.length });
  }
  const file = await ctx.artifacts.put('report.txt', rows.join('\\n'), { content_type: 'text/plain' });
  return { count: rows.length, report: file.key };
}
`;

const check = `# Checks an order by rules. Without a model, it costs nothing.
LIMITS = {"standard": 500, "gold": 5000}


def execute(ctx):
    order = ctx.input
    limit = LIMITS[order["customer"]["level"]]
    ctx.log("info", "the limit is " + str(limit))
    if order["amount"] > limit:
        return {"approved": False, "reason": "more than " + str(limit)}
    return {"approved": True, "reason": None}
`;

export const EXAMPLES: readonly Example[] = [
  {
    key: 'greet',
    title: 'Ask a model',
    says: 'JavaScript: one call of a model, its answer as the output.',
    name: 'Greeting',
    fields: {
      language: 'javascript',
      script: greet,
      description: 'Greets somebody by a model.',
      input_schema: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', description: 'Who is greeted.', default: 'Ada' } },
      },
      output_schema: { type: 'object', required: ['greeting'], properties: { greeting: { type: 'string' } } },
    },
  },
  {
    key: 'report',
    title: 'Write a report',
    says: 'TypeScript: logs, events while it runs, and a file as the result.',
    name: 'Report',
    fields: {
      language: 'typescript',
      script: report,
      description: 'Turns lines into a file.',
      execution_mode: 'stream',
      input_schema: {
        type: 'object',
        required: ['lines'],
        properties: {
          lines: { type: 'array', items: { type: 'string' }, default: ['Rail 4 is free', 'Signal 12 is red'] },
          urgent: { type: 'boolean', description: 'Marks every line.' },
        },
      },
    },
  },
  {
    key: 'check',
    title: 'Check by rules',
    says: 'Python: a decision without a model, from a form with a choice and a group.',
    name: 'Order check',
    fields: {
      language: 'python',
      script: check,
      description: 'Approves an order within the limit of its customer.',
      input_schema: {
        type: 'object',
        required: ['amount', 'customer'],
        properties: {
          amount: { type: 'number', minimum: 0, default: 700 },
          customer: {
            type: 'object',
            required: ['level'],
            properties: {
              level: { enum: ['standard', 'gold'], default: 'standard' },
              name: { type: 'string' },
            },
          },
        },
      },
    },
  },
];
