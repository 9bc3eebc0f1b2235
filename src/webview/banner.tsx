import { useRef, useState } from 'preact/hooks';
import type { Intent } from '../core/chat/protocol';
import type { PageString } from '../core/chat/strings';
import type { AuthMethodView, BannerAction } from '../core/session/state';
import { visibleText } from '../core/visibleText';
import { usePage, usePart, type Page } from './page';
import { Chevron, Icon, IconButton } from './transcript/icon';

const ACTIONS: Readonly<Record<BannerAction, { label: PageString; intent: Intent }>> = {
  restart: { label: 'actionRestart', intent: { type: 'restartAgent' } },
  showLog: { label: 'showLog', intent: { type: 'showLog' } },
  diagnose: { label: 'actionDiagnose', intent: { type: 'diagnose' } },
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

/** What is said below the button of a way to sign in. */
function aboutMethod({ type, description, variables }: AuthMethodView, t: Page['t']): string | undefined {
  if (variables) return t('signInVariables', variables.join(', '));
  if (type === 'unknown') return t('signInUnsupported');
  if (type === 'agent') return description;
  return description ? `${description} · ${t('signInTerminal')}` : t('signInTerminal');
}

interface MethodProps {
  method: AuthMethodView;
  primary: boolean;
  busy: boolean;
  choose: () => void;
}

function Method({ method, primary, busy, choose }: MethodProps) {
  const { t } = usePage();
  const about = busy ? t('signInBusy') : aboutMethod(method, t);
  const disabled = method.type === 'unknown';
  return (
    <div class="method">
      <button
        type="button"
        class={primary ? 'button primary' : 'button'}
        data-auth-method={method.id}
        data-auth-type={method.type}
        disabled={disabled}
        aria-disabled={busy ? true : undefined}
        aria-busy={busy}
        onClick={busy ? undefined : choose}
      >
        {busy && <Icon name="loading codicon-modifier-spin" />}
        {!busy && method.type === 'terminal' && <Icon name="terminal" />}
        <span dir="auto">{visibleText(method.name)}</span>
      </button>
      {about && (
        <div class="dim" dir="auto">
          {visibleText(about)}
        </div>
      )}
    </div>
  );
}

/** The way to sign in that is being gone, and why the last one failed. */
function useSignIn() {
  const { attempt } = usePage();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(0);
  const signIn = async (methodId: string): Promise<void> => {
    const mine = ++latest.current;
    setBusy(methodId);
    setProblem(null);
    const refused = await attempt({ type: 'authenticate', methodId });
    // Another way may have been chosen meanwhile.
    if (mine !== latest.current) return;
    setBusy(null);
    setProblem(refused);
  };
  return { busy, problem, signIn };
}

/** The ways to sign in that the agent offers; one of a kind that Parley does not know can be seen, but not gone (AU-12). */
export function SignIn() {
  const { t, store } = usePage();
  usePart('connection');
  usePart('agent');
  const { busy, problem, signIn } = useSignIn();
  const { connection, authMethods, agent } = store.state;
  if (connection.status !== 'auth') return null;
  const first = authMethods.find(({ type }) => type !== 'unknown');
  return (
    <section class="sign-in" data-parley="sign-in" aria-label={t('signInTitle', agent.title)}>
      <h2>
        <Icon name="key" />
        {t('signInTitle', agent.title)}
      </h2>
      {problem !== null && (
        <p class="sign-in-problem" role="alert">
          <Icon name="error" tone="bad" />
          <span dir="auto">{problem}</span>
        </p>
      )}
      {authMethods.length === 0 && <p class="dim">{t('signInNone')}</p>}
      {authMethods.map((method) => (
        <Method
          key={method.id}
          method={method}
          primary={method === first}
          busy={busy === method.id}
          choose={() => void signIn(method.id)}
        />
      ))}
    </section>
  );
}
