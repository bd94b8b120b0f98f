import { ReplyInbox } from './reply-inbox.js';

const PAYLOAD = { data: new Uint8Array() };

function inboxWith() {
  const inbox = new ReplyInbox('tester');
  const received: string[] = [];
  const open = (name: string, service = 'widgets') => inbox.open({ service, receive: () => void received.push(name) });
  const deliver = (...tokens: string[]) => tokens.forEach((token) => inbox.deliver('widgets', token, null, PAYLOAD));
  return { inbox, received, open, deliver };
}

describe('the reply inbox', () => {
  it('passes a message to the receiver of its token until that is closed', () => {
    const { inbox, received, open, deliver } = inboxWith();
    const [one, two] = [open('one'), open('two')];
    deliver(one, two);
    inbox.close(one);
    deliver(one, two);
    expect(received).toEqual(['one', 'two', 'two']);
  });

  it('reuses a token under which nothing more arrives', () => {
    const { inbox, open } = inboxWith();
    const token = open('one');
    inbox.close(token);
    expect(open('two')).toBe(token);
  });

  it('never matches the late reply of an abandoned call to another call', () => {
    const { inbox, received, open, deliver } = inboxWith();
    const late = open('one');
    inbox.abandon(late);
    const next = open('two');
    expect(next).not.toBe(late);
    deliver(late);
    // A second close must not free the token of the next call.
    inbox.close(late);
    inbox.abandon(late);
    deliver(next);
    expect(received).toEqual(['two']);
  });

  it('takes messages from the service that a receiver waits for alone', () => {
    const { inbox, received, open } = inboxWith();
    inbox.deliver('others', open('one'), null, PAYLOAD);
    expect(received).toEqual([]);
  });

  it('ignores tokens that it never issued', () => {
    const { received, open, deliver } = inboxWith();
    open('one');
    deliver('', '1', 'x-1', '-1', '0-1', '~', '__proto__');
    expect(received).toEqual([]);
  });
});
