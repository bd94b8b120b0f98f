import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP path that can be cut like a failing network: connections end, and new ones are refused. */
export class NetworkLink {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(url: string): Promise<NetworkLink> {
    const { hostname, port } = new URL(url);
    const server = createServer((near) => link.join(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    const here = new URL(url);
    here.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = new NetworkLink(server, here.href);
    return link;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private join(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      const end = (): void => {
        this.sockets.delete(socket);
        other.destroy();
      };
      socket.once('error', end).once('close', end);
      socket.pipe(other);
    }
    if (this.isCut) near.destroy();
  }
}
