import { Inject, type Type } from '@nestjs/common';
import { ApiError, type CallTo, deadLettersOf, type Handlers, MAX_DEAD_LETTERS } from '@signalbox/contracts';
import { DEAD_LETTERS, type DeadLetterStore, INBOX, type InboxStore, OUTBOX_LETTERS } from '@signalbox/platform';
import { Serves } from '../calls/server/serves.js';
import { ConsumerRunner } from './consumer-runner.js';
import { DiscardedEvents } from './discarded-events.js';

export function deadLetterHandlers(service: string): Type {
  const contract = deadLettersOf(service);
  type C = typeof contract;

  @Serves(contract)
  class DeadLetterHandlers implements Handlers<C> {
    constructor(
      @Inject(DEAD_LETTERS) private readonly letters: DeadLetterStore,
      @Inject(INBOX) private readonly inbox: InboxStore,
      private readonly consumers: ConsumerRunner,
      private readonly discarded: DiscardedEvents,
    ) {}

    listDeadLetters({ input }: CallTo<C, 'listDeadLetters'>) {
      return this.letters.list({ ...input, limit: MAX_DEAD_LETTERS });
    }

    /** In the order of their ids, which is that of the failures. */
    async replayDeadLetters({ input }: CallTo<C, 'replayDeadLetters'>) {
      const replayed: number[] = [];
      const failed: { id: number; cause: string }[] = [];
      for (const id of [...new Set(input.ids)].sort((a, b) => a - b)) {
        const cause = await this.replay(id).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (cause === null) replayed.push(id);
        else failed.push({ id, cause });
      }
      return { replayed, failed };
    }

    async dropDeadLetters({ input }: CallTo<C, 'dropDeadLetters'>) {
      return { dropped: await this.letters.drop(input.ids) };
    }

    async countDiscardedEvents() {
      return { messages: await this.discarded.count() };
    }

    resendDiscardedEvents({ input }: CallTo<C, 'resendDiscardedEvents'>) {
      return this.discarded.resend(input.until);
    }

    /** The inbox row commits with the effect: a letter whose deletion fails is not applied twice. */
    private async replay(id: number): Promise<void> {
      const letter = await this.letters.read(id);
      if (!letter) throw new ApiError('not_found', `dead letter ${id} not found`);
      if (letter.consumer === OUTBOX_LETTERS) return void (await this.letters.requeue(id));
      const effect = this.consumers.effectOf(letter.consumer);
      if (!effect) throw new ApiError('conflict', `${service} has no consumer ${letter.consumer}`);
      const { payload: text, id: _id, ...about } = letter;
      const payload: unknown = JSON.parse(text);
      await this.inbox.once([about], (tx) => effect([{ payload, about }], tx, () => undefined));
      await this.letters.drop([id]);
    }
  }
  return DeadLetterHandlers;
}
