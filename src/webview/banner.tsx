import { useState } from 'preact/hooks';
import type { Intent } from '../core/chat/protocol';
import type { PageString } from '../core/chat/strings';
import type { BannerAction } from '../core/session/state';
import { usePage, usePart } from './page';
import { Chevron, Icon, IconButton } from './transcript/icon';

const ACTIONS: Readonly<Record<BannerAction, { label: PageString; intent: Intent }>> = {
  restart: { label: 'actionRestart', intent: { type: 'restartAgent' } },
  showLog: { label: 'showLog', intent: { type: 'showLog' } },
  openSettings: { label: 'actionOpenSettings', intent: { type: 'openSettings' } },
  selectAgent: { label: 'actionSelectAgent', intent: { type: 'selectAgent', id: null } },
  newSession: { label: 'newChat', intent: { type: 'newSession' } },
};

/** What is wrong with the agent, and what can be done. */
export function BannerBar() {
  const { t, act, store } = usePage();
  usePart('banner');
  const [open, setOpen] = useState(true);
  const { banner } = store.state;
  if (!banner) return null;
  const { severity, message, detail, actions } = banner;
  return (
    <div class="banner" data-parley="banner" data-severity={severity} role="alert">
      <div class="banner-head">
        <Icon name={severity} />
        <span class="grow" dir="auto">
          {message}
        </span>
        <IconButton icon="close" label={t('close')} onPress={() => void act({ type: 'dismissBanner' })} />
      </div>
      {detail && (
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Chevron open={open} />
          {t('details')}
        </button>
      )}
      {detail && open && (
        <pre class="raw" tabIndex={0} dir="ltr">
          {detail}
        </pre>
      )}
      {actions.length > 0 && (
        <div class="banner-actions">
          {actions.map((action, index) => (
            <button
              key={action}
              type="button"
              class={index === 0 ? 'button primary' : 'button'}
              onClick={() => void act(ACTIONS[action].intent)}
            >
              {t(ACTIONS[action].label)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The ways to sign in that the agent offers. */
export function SignIn() {
  const { t, act, store } = usePage();
  usePart('connection');
  usePart('agent');
  const { connection, authMethods, agent } = store.state;
  if (connection.status !== 'auth') return null;
  return (
    <section class="sign-in" aria-label={t('signInTitle', agent.title)}>
      <h2>
        <Icon name="key" />
        {t('signInTitle', agent.title)}
      </h2>
      {authMethods.length === 0 && <p class="dim">{t('signInNone')}</p>}
      {authMethods.map(({ id, name, description, supported }, index) => (
        <div key={id} class="method">
          <button
            type="button"
            class={index === 0 && supported ? 'button primary' : 'button'}
            data-auth-method={id}
            disabled={!supported}
            onClick={() => void act({ type: 'authenticate', methodId: id })}
          >
            {name}
          </button>
          {(description || !supported) && (
            <div class="dim" dir="auto">
              {supported ? description : t('signInUnsupported')}
            </div>
          )}
        </div>
      ))}
    </section>
  );
}
