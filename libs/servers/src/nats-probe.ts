import { connect } from 'node:net';

/** Who asks the server. */
export interface Login {
  user: string;
  password: string;
}

/** Tells whether a NATS server on a loopback port lets a user in: INFO, CONNECT, PING answered by PONG. */
export function answersPing(port: number, login: Login): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let heard = '';
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', (chunk) => {
      const greeted = heard.startsWith('INFO ');
      heard += chunk.toString();
      if (!greeted && heard.startsWith('INFO ')) {
        const hello = { verbose: false, pedantic: false, user: login.user, pass: login.password };
        socket.write(`CONNECT ${JSON.stringify(hello)}\r\nPING\r\n`);
      }
      if (heard.includes('\r\nPONG\r\n')) end(true);
      else if (heard.includes('\r\n-ERR')) end(false);
    });
  });
}
