import type { ScriptLanguage } from '@signalbox/contracts';

export const DEFAULT_SCRIPTS: Readonly<Record<ScriptLanguage, string>> = {
  javascript: `// The whole workflow. Its return value becomes the output of the run.
async function execute(ctx) {
  ctx.log('info', 'the input is ' + JSON.stringify(ctx.input));
  const completion = await ctx.chat.completions.create({
    messages: [{ role: 'user', content: 'Say hello to ' + (ctx.input?.name ?? 'the world') }],
  });
  return { greeting: completion.choices[0].message.content };
}
`,
  typescript: `interface Input {
  name?: string;
}

// The whole workflow. Its return value becomes the output of the run.
async function execute(ctx: any): Promise<{ greeting: string }> {
  const input: Input = ctx.input ?? {};
  ctx.log('info', 'the input is ' + JSON.stringify(input));
  const completion = await ctx.chat.completions.create({
    messages: [{ role: 'user', content: 'Say hello to ' + (input.name ?? 'the world') }],
  });
  return { greeting: completion.choices[0].message.content };
}
`,
  python: `# The whole workflow. Its return value becomes the output of the run.
def execute(ctx):
    ctx.log("info", "the input is " + str(ctx.input))
    name = (ctx.input or {}).get("name", "the world")
    completion = ctx.chat.completions.create({
        "messages": [{"role": "user", "content": "Say hello to " + name}],
    })
    return {"greeting": completion["choices"][0]["message"]["content"]}
`,
};
