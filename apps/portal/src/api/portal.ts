import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signalbox } from '@signalbox/sdk';
import type { Login } from './session.js';

export interface Portal {
  login: Login;
  api: Signalbox;
  can: (scope: string) => boolean;
  say: (text: string) => void;
}

export const PortalContext = createContext<Portal | null>(null);

export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('no session');
  return portal;
}
