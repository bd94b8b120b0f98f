import { Controller, Injectable, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Contract } from '@signalbox/contracts';
import { BodyPipe } from '../bodies/index.js';
import { AnonymousRateLimiter } from '../limits/index.js';
import type { Reply } from '../replies/index.js';
import { Context, methodsOf, PREFIX, routeDefinitionOf, WithoutHead } from '../request/index.js';
import type { Call } from './call.js';
import { ContractValidationPipe } from './contract-validation.pipe.js';
import { IdempotencyPipe } from './idempotency.pipe.js';
import { ReplyKinds } from './reply-kinds.js';

@Injectable()
abstract class ContractController {
  constructor(
    private readonly kinds: ReplyKinds,
    private readonly anonymous: AnonymousRateLimiter,
  ) {}

  /** A call without a key gets its rate-limit charge back: it named an existing resource. */
  protected async reply(call: Call): Promise<Reply> {
    const reply = await this.kinds.replyTo(call);
    if (call.route.endpoint.scope === 'none') this.anonymous.refund(call.context);
    return reply;
  }
}

export const contractControllers = (contracts: readonly Contract[]): Type[] => contracts.map(controllerOf);

function controllerOf(contract: Contract): Type {
  const controller = class extends ContractController {};
  Object.defineProperty(controller, 'name', { value: `${contract.name}Controller` });
  Controller(PREFIX)(controller);
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    if (endpoint.path === null) continue;
    const route = routeDefinitionOf(endpoint, contract);
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
    const methods = methodsOf(endpoint);
    // The adapter serves HEAD with the handler of GET.
    for (const method of methods.filter((each) => each !== 'HEAD'))
      addHandler(controller, method === endpoint.method ? name : `${name}By${method}`, [
        RequestMapping({ path, method: RequestMethod[method as keyof typeof RequestMethod] }),
        RouteConfig({ contractRoute: route }),
        ...(method === 'GET' && !methods.includes('HEAD') ? [WithoutHead()] : []),
      ]);
  }
  return controller;
}

/** Does what the compiler does for decorated methods. */
function addHandler(controller: Type, name: string, decorators: MethodDecorator[]): void {
  const { prototype } = controller as { prototype: object };
  const descriptor = {
    value(this: { reply(call: Call): Promise<Reply> }, call: Call) {
      return this.reply(call);
    },
    configurable: true,
  };
  Object.defineProperty(prototype, name, descriptor);
  for (const decorate of decorators) decorate(prototype, name, descriptor);
  Context(BodyPipe, ContractValidationPipe, IdempotencyPipe)(prototype, name, 0);
}
