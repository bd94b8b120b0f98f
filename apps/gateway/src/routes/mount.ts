import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { takesOnlyFile } from '@signalbox/contracts';
import { tracing } from '@signalbox/platform';
import { GatewayAdapter } from '../gateway-adapter.js';
import { Authenticator } from '../keys/authenticator.js';
import { AnonymousRateLimiter } from '../limits/anonymous-rate-limiter.js';
import { Exchange } from '../replies/exchange.js';
import { beginHttpSpan } from '../replies/http-span.js';
import { Replies } from '../replies/replies.js';
import { BodyReader, BodyTooSlow } from '../bodies/body-reader.js';
import { ignoreBodies, readJsonBodies } from '../bodies/bodies.js';
import { ROLE, type Role } from '../role.js';
import { CALL_CHECKS, type CallCheck } from './call-checks.js';
import { ofFastify } from './fastify-errors.js';
import { Forwarding } from './forwarding.js';
import type { Texts } from './input-reader.js';
import { type Answer, OpenRoutes } from './open-routes.js';
import { type RouteDefinition, routeDefinitionsOf, PREFIX, successorOf } from './route-definition.js';
import { Unmatched } from './unmatched.js';
import { FileReader, readFiles } from '../bodies/file-reader.js';
import { readForms } from '../bodies/form-reader.js';
import { readUploads, UploadReader } from '../bodies/upload-reader.js';
import { afterUnreadBody } from '../bodies/unread-body.js';

type Done = (error?: Error) => void;

/** Mounts the list of contracts: every endpoint with a path becomes a route. */
@Injectable()
export class RouteMount implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly authenticator: Authenticator,
    private readonly forwarding: Forwarding,
    private readonly replies: Replies,
    private readonly open: OpenRoutes,
    private readonly unmatched: Unmatched,
    private readonly anonymous: AnonymousRateLimiter,
    private readonly bodies: BodyReader,
    private readonly uploads: UploadReader,
    private readonly files: FileReader,
    @Inject(ROLE) private readonly role: Role,
    @Inject(CALL_CHECKS) private readonly checks: readonly CallCheck[],
  ) {}

  onModuleInit(): void {
    const app = this.host.httpAdapter.getInstance<FastifyInstance>();
    const refuse = (request: FastifyRequest, reply: FastifyReply) => void this.unmatched.answer(request, reply);
    app.decorateRequest('exchange', null);
    app.setErrorHandler((error: FastifyError, request, reply) => this.fail(error, request, reply));
    app.setNotFoundHandler(refuse);
    if (this.host.httpAdapter instanceof GatewayAdapter)
      this.host.httpAdapter.onRouterError(
        (error, request, reply) => void this.unmatched.answer(request, reply, ofFastify(error)),
      );
    // Before the body is read: an unauthenticated body has no effect.
    app.addHook('onRequest', (request, reply, done) => (request.is404 ? refuse(request, reply) : done()));
    for (const [path, answer] of Object.entries(this.open.answers)) this.mountOpen(app, path, answer);
    const plans = routeDefinitionsOf(this.role.contracts);
    const withBody = plans.filter(({ withBody, upload, endpoint }) => withBody && !upload && !endpoint.form);
    const uploads = plans.filter(({ upload }) => upload);
    const ofText = ({ endpoint }: RouteDefinition): boolean => takesOnlyFile(endpoint);
    this.mountGroup(app, uploads.filter(ofText), (group) => readUploads(group, this.uploads));
    this.mountGroup(
      app,
      uploads.filter((plan) => !ofText(plan)),
      (group) => readFiles(group, this.files, this.bodies),
    );
    this.mountGroup(
      app,
      plans.filter(({ endpoint }) => endpoint.form),
      (group) => readForms(group, this.bodies),
    );
    const large = ({ endpoint }: RouteDefinition) => endpoint.body === 'large';
    this.mountGroup(
      app,
      [...withBody.filter((plan) => !large(plan)), ...plans.filter(({ acceptsBody }) => acceptsBody)],
      (group) => readJsonBodies(group, false, this.bodies),
    );
    this.mountGroup(app, withBody.filter(large), (group) => readJsonBodies(group, true, this.bodies));
    this.mountGroup(
      app,
      plans.filter((plan) => !plan.withBody && !plan.acceptsBody),
      ignoreBodies,
    );
    for (const { path, methods } of this.unmatched.table.taken())
      app.route({ ...routeOf(methods, path), onRequest: refuse, handler: refuse });
  }

  /** Each group of routes reads bodies in its own way, so it has a Fastify context. */
  private mountGroup(
    app: FastifyInstance,
    plans: RouteDefinition[],
    readBodies: (group: FastifyInstance) => void,
  ): void {
    void app.register((group, _options, done) => {
      readBodies(group);
      for (const plan of plans)
        group.route({
          ...routeOf(plan.methods, PREFIX + plan.path),
          onRequest: (request, reply, admitted) => this.admit(plan, request, reply, admitted),
          handler: (request) => {
            if (request.exchange) void this.forwarding.serve(plan, request.exchange);
          },
        });
      done();
    });
  }

  private mountOpen(app: FastifyInstance, path: string, answer: Answer): void {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const exchange = new Exchange(request, reply.raw, `GET ${path}`);
      reply.hijack();
      try {
        await answer(exchange);
      } catch (error) {
        this.replies.error(exchange, error);
      }
    };
    app.route({ ...routeOf(['GET', 'HEAD'], path), handler });
  }

  /** Runs before the body is read: key, rate, scope, then the headers of the body. */
  private admit(plan: RouteDefinition, request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { shape } = plan.endpoint;
    // In this endpoint the id names the recorded request, so it is never the client's.
    if (shape === 'openai') request.id = randomUUID();
    const exchange = new Exchange(request, reply.raw, plan.label, shape);
    request.exchange = exchange;
    exchange.endpoint = plan.endpoint;
    exchange.upload = plan.upload;
    exchange.successor = successorOf(plan, request.params as Texts);
    if (tracing) beginHttpSpan(tracing, exchange);
    if (tracing && exchange.span) tracing.within(exchange.span, () => this.admitCall(plan, exchange, done));
    else this.admitCall(plan, exchange, done);
  }

  private admitCall(plan: RouteDefinition, exchange: Exchange, done: Done): void {
    const { scope, bearer } = plan.endpoint;
    const refused = (error: unknown): void => this.replies.error(exchange, error);
    try {
      if (scope === 'none') this.anonymous.admit(exchange);
      const identified = scope === 'none' ? undefined : this.authenticator.identify(exchange, bearer === true);
      if (identified) identified.then(() => this.check(plan, exchange, done)).catch(refused);
      else this.check(plan, exchange, done);
    } catch (error) {
      refused(error);
    }
  }

  private check(plan: RouteDefinition, exchange: Exchange, done: Done): void {
    this.authenticator.authorise(exchange.key, plan.endpoint.scope);
    for (const check of this.checks) check(plan, exchange);
    done();
  }

  /** Errors of Fastify and of reading bodies. */
  private fail(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const exchange = request.exchange ?? new Exchange(request, reply.raw, 'unknown');
    // A client that sends for ever would keep its connection for as long.
    if (error instanceof BodyTooSlow) exchange.response.shouldKeepAlive = false;
    afterUnreadBody(request.raw, () => this.replies.error(exchange, ofFastify(error)));
  }
}

const routeOf = (methods: string[], path: string) => ({
  method: methods as HTTPMethods[],
  url: path.replace(/\{(\w+)\}/g, ':$1'),
  exposeHeadRoute: false,
});
