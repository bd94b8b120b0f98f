import {
  Default,
  Description,
  Flag,
  ListOf,
  Nested,
  Nullable,
  OneOf,
  partial,
  Str,
  Text,
} from '../../fields/fields.js';

/** How the qualification and the correction of a sentinel work. */
const STEP_TYPES = ['STATIC', 'LLM'] as const;

class DirectiveExample {
  @OneOf(['PASS', 'FAULT', 'NA']) example_type!: 'PASS' | 'FAULT' | 'NA';
  @Text() example_body!: string;
}

class DirectiveQualification {
  @OneOf(STEP_TYPES) @Description('STATIC = a pattern (RE2), LLM = the judge decides') type!: 'STATIC' | 'LLM';
  @Str(1, 20_000)
  @Description(
    'STATIC: a pattern that the text of messages or answer matches when the request is to be judged; LLM: which requests are to be judged. Other requests are NA',
  )
  instruction!: string;
}

class DirectiveCorrection {
  @OneOf(STEP_TYPES) @Description('STATIC = a fixed text, LLM = a model writes it') type!: 'STATIC' | 'LLM';
  @Str(1, 20_000)
  @Description('STATIC: the text that replaces a faulty answer; LLM: how a faulty answer is corrected')
  instruction!: string;
}

/** The parts of a request that the judge receives; its answer is always among them. */
export class IncludeOptions {
  @Flag() @Default(true) system_prompt!: boolean;
  @Flag() @Default(true) @Description('The messages before the last one of the user') context!: boolean;
  @Flag() @Default(true) @Description('The last message of the user and what follows it') input!: boolean;
  @Flag() @Default(true) @Description('Tool calls, their results and the declared tools') tool_calls!: boolean;
  @Flag() @Default(true) @Description('The requested response format') json_schema!: boolean;
}

/** What a judge receives when a directive does not say otherwise. */
export const includeAll = (): IncludeOptions => ({
  system_prompt: true,
  context: true,
  input: true,
  tool_calls: true,
  json_schema: true,
});

/** What a sentinel looks for in answers, and how a faulty one is corrected. */
export class SentinelDirective {
  @Str(1, 20_000) instruction!: string;
  @ListOf(() => DirectiveExample, 0, 50) @Default(() => []) examples!: DirectiveExample[];
  @Nested(() => DirectiveQualification) @Nullable() @Default(null) qualification!: DirectiveQualification | null;
  @Nested(() => DirectiveCorrection) @Nullable() @Default(null) correction!: DirectiveCorrection | null;
  @Nested(() => IncludeOptions) @Default(includeAll) include_options!: IncludeOptions;
}

/** A change of a directive: given fields are replaced, others stay. */
export class DirectiveChange extends partial(SentinelDirective) {}
