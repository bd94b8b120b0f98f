import { spawn } from 'node:child_process';
import { busAddress } from './bus-address.js';
import { findEndpoints } from './data-directory.js';
import { localAddress, type Settings } from '../settings/settings.js';
import { signInLink } from '../operator/sign-in-link.js';
import { Options } from '../usage.js';

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer', linux: 'xdg-open' };

/** PUBLIC_URL, else the address of the platform that runs on DATA_DIR, whose port this command may not know. */
async function originOf({ publicUrl, host, port, dataDir }: Settings): Promise<string> {
  if (publicUrl !== `http://${localAddress(host, port)}`) return publicUrl;
  const endpoints = await findEndpoints(dataDir);
  return endpoints ? new URL(endpoints.base_url).origin : publicUrl;
}

/** Throws a `BadUsage` for words that are not understood: the link would be that of the first company. */
export function portalOptions(words: string[]): { company: number | null; isOpened: boolean } {
  const options = Options.read(words, ['company'], ['open']);
  return { company: options.find('company') === null ? null : options.id('company'), isOpened: options.has('open') };
}

export async function openPortal(settings: Settings, words: string[]): Promise<number> {
  const { company, isOpened } = portalOptions(words);
  const link = await signInLink(await busAddress(settings), await originOf(settings), company);
  console.log(link);
  const opener = OPENERS[process.platform];
  if (isOpened && opener)
    spawn(opener, [link], { stdio: 'ignore', detached: true })
      .once('error', () => console.error(`${opener} could not be started: open the link by hand`))
      .unref();
  return 0;
}
