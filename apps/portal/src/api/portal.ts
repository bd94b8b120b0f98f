import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signalbox } from '@signalbox/sdk';
import type { Login } from './session.js';

/** What every page works with. */
export interface Portal {
  login: Login;
  api: Signalbox;
  /** Whether the key of the session has a scope. */
  can: (scope: string) => boolean;
  /** Shows a short message. */
  say: (text: string) => void;
}

export const PortalContext = createContext<Portal | null>(null);

export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('no session');
  return portal;
}
