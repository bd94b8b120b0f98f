import type { Question, Reply } from './aside.js';

async function answerTo(question: Question): Promise<Reply> {
  try {
    if (question.what === 'users') {
      const { natsUsers } = await import('./nats-users.js');
      return { answer: natsUsers(question.masterKey) };
    }
    const { keyOfFirstCompany } = await import('../admin/first-company.js');
    return { answer: await keyOfFirstCompany(question.natsUrl, question.company) };
  } catch (error) {
    return { complaint: error instanceof Error ? error.message : String(error) };
  }
}

process.once('message', (question: Question) => {
  void answerTo(question).then((reply) => process.send?.(reply, () => process.disconnect()));
});
