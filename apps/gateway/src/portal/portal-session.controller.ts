import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { BodyReader, parseBody, unreadBodyOf } from '../bodies/index.js';
import { AnonymousRateLimiter } from '../limits/index.js';
import { JsonReply, type Reply } from '../replies/index.js';
import { Context, Public, type RequestContext } from '../request/index.js';
import { PortalSignIn } from './portal-sign-in.js';

const MAX_BODY_BYTES = 1024;
const SESSION_OF_COMPANY = '/c/:company_id(^[1-9]\\d{0,9}$)/session';

@Controller()
@Public()
export class PortalSessionController {
  constructor(
    private readonly signIn: PortalSignIn,
    private readonly bodies: BodyReader,
    private readonly anonymous: AnonymousRateLimiter,
  ) {}

  @Post('/portal/session')
  async open(@Context() context: RequestContext): Promise<Reply> {
    try {
      this.anonymous.admit(context);
      const { login, cookie } = await this.signIn.open(context, await this.credentials(context));
      return JsonReply.of({ data: login }, 200, { 'Set-Cookie': cookie });
    } catch (error) {
      await unreadBodyOf(context.request.raw);
      throw error;
    }
  }

  @Get(SESSION_OF_COMPANY)
  async describe(@Context() context: RequestContext, @Param('company_id') companyId: string): Promise<Reply> {
    return JsonReply.of({ data: await this.signIn.describe(context, Number(companyId)) });
  }

  @Delete(SESSION_OF_COMPANY)
  async close(@Context() context: RequestContext, @Param('company_id') companyId: string): Promise<Reply> {
    const cookie = await this.signIn.close(context, Number(companyId));
    return JsonReply.of({ data: { closed: true } }, 200, { 'Set-Cookie': cookie });
  }

  private async credentials({ request, response }: RequestContext): Promise<{ key?: string; ticket?: string }> {
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      throw new ApiError('unsupported_media', 'the body must be application/json');
    const body = parseBody(
      await this.bodies.read({ raw: request.raw, response, companyId: null }, MAX_BODY_BYTES),
      false,
    );
    const [name, value] = Object.entries(Object(body) as object)[0] ?? [];
    const isOne = Object.keys(Object(body) as object).length === 1 && (name === 'key' || name === 'ticket');
    if (!isOne || typeof value !== 'string' || value === '')
      throw new ApiError('invalid', 'the body must be {"key": …} or {"ticket": …}');
    return { [name]: value };
  }
}
