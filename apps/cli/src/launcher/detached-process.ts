import type { DetachedTask, DetachedResult } from './run-detached.js';

async function run(task: DetachedTask): Promise<DetachedResult> {
  try {
    if (task.what === 'users') {
      const { natsUsers } = await import('./nats-users.js');
      return { output: natsUsers(task.keys) };
    }
    if (task.what === 'sign-in-link') {
      const { signInLink } = await import('../operator/sign-in-link.js');
      return { output: await signInLink(task.natsUrl, task.origin, null) };
    }
    const { keyOfFirstCompany } = await import('../operator/first-company.js');
    return { output: await keyOfFirstCompany(task.natsUrl, task.company) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.once('message', (task: DetachedTask) => {
  void run(task).then((result) => process.send?.(result, () => process.disconnect()));
});
