import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clerk } from './clerk.js';
import { type Call, isServed, JUDGE_PATH, judgeReply, retiredReply } from './judge-model.js';
import { toolReply, TOOLS_PATH } from './tool-server.js';

/** An external system for the demo: an order, a courier who replies later, models, tools, and an agent. */
export interface OrderService {
  url: string;
  /** `host:port`, as an allowed address of the platform. */
  place: string;
  asked(): number;
  calledBack(): number;
  employ(clerk: Clerk): string;
  close(): Promise<void>;
}

const ORDER = { order_id: 'A-1042', status: 'SHIPPED', carrier: 'Parcel Post', delivery: 'tomorrow before noon' };

const CLERK_PATH = '/answer';
const BOOKED = { courier: 'Parcel Post', booked_for: 'Friday, 9 to 12' };
const COURIER_MS = 700;

export type CallBack = (url: string, payload: object) => Promise<unknown>;

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

/** On the former port when that is free, so that an unchanged agent stays unchanged. */
export async function startOrderService(formerPort: number | null, callBack: CallBack): Promise<OrderService> {
  let asked = 0;
  let calledBack = 0;
  let clerk: Clerk | null = null;
  const book = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { reply_to: address } = (await bodyOf(request)) as { reply_to: string };
    reply(response, 202, { accepted: true });
    await pause(COURIER_MS);
    await callBack(address, BOOKED);
    calledBack += 1;
  };
  const judge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = (await bodyOf(request)) as Call;
    if (isServed(call)) reply(response, 200, judgeReply(call));
    else reply(response, 404, retiredReply(call));
  };
  const offer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const said = toolReply((await bodyOf(request)) as Parameters<typeof toolReply>[0]);
    if (said) reply(response, 200, said);
    else response.writeHead(202).end();
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages } = (await bodyOf(request)) as { messages: { content: string }[] };
    const given = await clerk?.answer(messages, String(request.headers.traceparent ?? ''));
    reply(response, given ? 200 : 404, { answer: given ?? null });
  };
  const server = createServer((request, response) => {
    const what = `${request.method} ${request.url}`;
    if (what === 'POST /courier') return void book(request, response).catch(() => response.destroy());
    // The manager never replies, so that one approval stays open for the user to look at.
    if (what === 'POST /manager') return reply(response, 202, { accepted: true });
    if (what === `POST ${JUDGE_PATH}/chat/completions`)
      return void judge(request, response).catch(() => response.destroy());
    if (what === `POST ${CLERK_PATH}`) return void answer(request, response).catch(() => response.destroy());
    if (what === `POST ${TOOLS_PATH}`) return void offer(request, response).catch(() => response.destroy());
    if (what !== 'GET /orders/latest') return reply(response, 404, { error: 'unknown' });
    asked += 1;
    reply(response, 200, ORDER);
  });
  if (!(await listen(server, formerPort ?? 0)) && !(await listen(server, 0))) throw new Error('no free port was found');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    place: `127.0.0.1:${port}`,
    asked: () => asked,
    calledBack: () => calledBack,
    employ: (employed) => {
      clerk = employed;
      return `http://127.0.0.1:${port}${CLERK_PATH}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
