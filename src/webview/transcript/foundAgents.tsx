import { lineOf, type FoundAgent } from '../../core/agents/knownAgents';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { splitForCut } from './cut';
import { Cut, Icon, IconButton } from './icon';

function Found({ agent }: { agent: FoundAgent }) {
  const { t, act } = usePage();
  const { id, title, path, row, configured, installed, name } = agent;
  const line = visibleText(lineOf(row));
  const does =
    configured === null
      ? t('useAgentWrites', JSON.stringify({ [name]: row }))
      : t('useAgentOpens', visibleText(configured));
  return (
    <li data-found-agent={id}>
      <div class="grow found-agent">
        <span>
          {title}
          {installed !== undefined && (
            <span class="dim"> · {t('agentInstalled', visibleText(installed))}</span>
          )}
          {installed === undefined && configured !== null && (
            <span class="dim"> · {t('agentInSettings', visibleText(configured))}</span>
          )}
        </span>
        <span class="mono dim" dir="ltr">
          <Cut parts={splitForCut(line)} title={visibleText(path)} />
        </span>
      </div>
      <button
        type="button"
        class="button small"
        aria-label={t('useAgentNamed', title)}
        title={visibleText(does)}
        onClick={() => void act({ type: 'useAgent', id })}
      >
        {t('useAgent')}
      </button>
    </li>
  );
}

/** Known agents on this machine, each with what its button will write. */
export function FoundAgents() {
  const { t, start, channel } = usePage();
  const found = start.value?.found ?? null;
  return (
    <section class="found-agents" aria-label={t('agentsFound')} aria-busy={found === null}>
      <div class="found-head">
        <h3 class="grow">{t('agentsFound')}</h3>
        <IconButton
          icon="refresh"
          label={t('lookAgain')}
          disabled={found === null}
          onPress={() => channel.lookAround(true)}
        />
      </div>
      {found === null && (
        <p class="dim">
          <Icon name="loading codicon-modifier-spin" /> {t('agentsLooking')}
        </p>
      )}
      {found?.length === 0 && <p class="dim">{t('agentsNone')}</p>}
      {found !== null && found.length > 0 && (
        <ul>
          {found.map((agent) => (
            <Found key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
      {found?.some(({ configured }) => configured === null) && <p class="dim">{t('agentsWrites')}</p>}
    </section>
  );
}
