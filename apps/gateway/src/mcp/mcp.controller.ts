import { Controller, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Reply } from '../replies/index.js';
import { Context, PREFIX, type RequestContext } from '../request/index.js';
import { AGENTS, BUILD, READ, RUN } from './addresses.js';
import { McpRequests } from './mcp-requests.js';

/** See docs/guides/connect-an-assistant.md. */
@Controller(PREFIX)
export class McpController {
  constructor(private readonly requests: McpRequests) {}

  @Post(READ.path)
  @RouteConfig({ bearer: true, longCall: true })
  read(@Context() context: RequestContext): Promise<Reply> {
    return this.requests.reply(context, READ);
  }

  @Post(RUN.path)
  @RouteConfig({ bearer: true, longCall: true })
  run(@Context() context: RequestContext): Promise<Reply> {
    return this.requests.reply(context, RUN);
  }

  @Post(BUILD.path)
  @RouteConfig({ bearer: true, longCall: true })
  build(@Context() context: RequestContext): Promise<Reply> {
    return this.requests.reply(context, BUILD);
  }

  @Post(AGENTS.path)
  @RouteConfig({ bearer: true, longCall: true })
  agents(@Context() context: RequestContext): Promise<Reply> {
    return this.requests.reply(context, AGENTS);
  }
}
