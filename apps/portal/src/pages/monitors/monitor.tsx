import { useState } from 'preact/hooks';
import { useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { useUnsaved } from '../../parts/unsaved.js';
import { ReleasesOf } from '../releases/releases-of.js';
import { Activity } from './activity.js';
import { AlertRows } from './alerts.js';
import { Checks } from './checks.js';
import { Definition, type EditedText } from './definition.js';
import { Head } from './head.js';
import { Targets } from './targets.js';
import { Verdicts } from './verdicts.js';
import { Versions } from './versions.js';

const TABS = ['Verdicts', 'Alerts', 'Definition', 'Targets', 'Versions', 'Checks', 'Releases'] as const;
type Tab = (typeof TABS)[number];

export function MonitorPage() {
  const { api } = usePortal();
  const monitor_id = Number(useParams<{ id: string }>().id);
  const [named, setTab] = useParam('tab', 'Verdicts');
  const [edited, setEdited] = useState<EditedText | null>(null);
  useUnsaved(edited !== null);
  const tab = TABS.find((each) => each === named) ?? 'Verdicts';
  return (
    <div class="page">
      <Loaded name={['monitor', monitor_id]} load={(signal) => api.monitors.get({ monitor_id }, { signal })}>
        {(monitor, reload) => (
          <>
            <Head monitor={monitor} isEdited={edited !== null} changed={reload} />
            <Activity id={monitor_id} />
            <Tabs<Tab> label="Monitor" names={TABS} chosen={tab} choose={setTab}>
              {tab === 'Verdicts' && <Verdicts id={monitor_id} />}
              {tab === 'Alerts' && <AlertRows filters={{ monitor_id }} />}
              {tab === 'Definition' && (
                <Definition monitor={monitor} changed={reload} edited={edited} edit={setEdited} />
              )}
              {tab === 'Targets' && <Targets monitor={monitor} changed={reload} />}
              {tab === 'Versions' && <Versions monitor={monitor} changed={reload} />}
              {tab === 'Checks' && <Checks monitor={monitor} />}
              {tab === 'Releases' && (
                <ReleasesOf type="monitor" id={monitor_id} isPublished={monitor.latest_version_number !== null} />
              )}
            </Tabs>
          </>
        )}
      </Loaded>
    </div>
  );
}
