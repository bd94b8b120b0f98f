import { spawn } from 'node:child_process';
import { busAddress } from './bus-address.js';
import { findEndpoints } from './data-directory.js';
import { localAddress, type Settings } from '../settings/settings.js';
import { signInLink } from '../operator/sign-in-link.js';

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer', linux: 'xdg-open' };

/** PUBLIC_URL, else the address of the platform that runs on DATA_DIR, whose port this command may not know. */
async function originOf({ publicUrl, host, port, dataDir }: Settings): Promise<string> {
  if (publicUrl !== `http://${localAddress(host, port)}`) return publicUrl;
  const endpoints = await findEndpoints(dataDir);
  return endpoints ? new URL(endpoints.base_url).origin : publicUrl;
}

function companyIn(words: string[]): number | null {
  const at = words.indexOf('--company');
  if (at < 0) return null;
  const id = Number(words[at + 1]);
  if (!Number.isInteger(id) || id < 1) throw new Error('--company takes the id of a company');
  return id;
}

export async function openPortal(settings: Settings, words: string[]): Promise<number> {
  const link = await signInLink(await busAddress(settings), await originOf(settings), companyIn(words));
  console.log(link);
  const opener = OPENERS[process.platform];
  if (words.includes('--open') && opener)
    spawn(opener, [link], { stdio: 'ignore', detached: true })
      .once('error', () => console.error(`${opener} could not be started: open the link by hand`))
      .unref();
  return 0;
}
