import type { PermissionView } from '../../core/session/state';
import { useEntry, usePage } from '../page';
import { Icon } from './icon';
import { outcomeText } from './question';
import { revealQuestion } from './reveal';

function Answered({ permission }: { permission: PermissionView; version: number }) {
  const { t } = usePage();
  const { outcome } = permission;
  const allowed = outcome !== undefined && outcome !== 'cancelled' && outcome.kind.startsWith('allow');
  const text = outcomeText(permission, t);
  return (
    <div class="answered dim">
      <Icon name={allowed ? 'check' : 'circle-slash'} />
      <span class="cut" title={text} dir="auto">
        {text}
      </span>
    </div>
  );
}

/** Leads to the question, which is pinned above the composer. */
function Waiting({ requestId }: { requestId: string }) {
  const page = usePage();
  return (
    <button type="button" class="answered asked-below" onClick={() => revealQuestion(page, requestId)}>
      <Icon name="arrow-down" />
      <span class="cut">{page.t('askedBelow')}</span>
    </button>
  );
}

/** What became of the questions of a call, a line each. */
export function PermissionLines({ id }: { id: number }) {
  const entry = useEntry(id, 'tool');
  if (!entry) return null;
  return (
    <>
      {entry.permissions.map((permission) =>
        permission.outcome ? (
          <Answered key={permission.requestId} permission={permission} version={entry.version} />
        ) : (
          <Waiting key={permission.requestId} requestId={permission.requestId} />
        ),
      )}
    </>
  );
}
