/** A numbered request to a child process and its reply. */
export interface ChildRequest {
  id: number;
  question: unknown;
}

/** The reply to the request of that id. */
export interface ChildReply {
  id: number;
  answer?: unknown;
  failure?: string;
}

/** Reports `ready`, then serves every request of the parent. */
export function answer<Question>(reply: (question: Question) => Promise<unknown>, stop: () => Promise<void>): void {
  process.on('message', ({ id, question }: ChildRequest) => {
    const send = (message: ChildReply): void => void process.send?.(message);
    reply(question as Question).then(
      (result) => send({ id, answer: result }),
      (error: Error) => send({ id, failure: error.stack ?? error.message }),
    );
  });
  // A parent that was killed stops nothing.
  const abandoned = () => process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', abandoned);
  process.once('SIGTERM', () => void stop().finally(() => process.off('disconnect', abandoned).disconnect()));
  process.send?.('ready');
}
