import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Intent } from '../../core/chat/protocol';
import type { PermissionOptionView, PermissionView, ToolEntry } from '../../core/session/state';
import { usePage } from '../page';
import { Icon } from '../transcript/icon';
import { leaveQuestion } from '../transcript/inView';
import { questionOf } from '../transcript/question';
import { AlwaysForm } from './alwaysForm';
import { answerByKey, Options } from './options';
import { Reading } from './reading';
import { ReasonField } from './reasonField';
import { useSteady } from './useSteady';

interface QuestionProps {
  entry: ToolEntry;
  permission: PermissionView;
  version: number;
  /** 0-based place among `count` open ones. */
  index: number;
  count: number;
}

type Answer = Omit<Extract<Intent, { type: 'answerPermission' }>, 'type' | 'requestId'>;

/** Sends one answer at a time. */
function useAnswer(card: RefObject<HTMLElement | null>, requestId: string): (answer: Answer) => void {
  const { act } = usePage();
  const sending = useRef(false);
  return (answer) => {
    if (sending.current) return;
    sending.current = true;
    leaveQuestion(card);
    void act({ type: 'answerPermission', requestId, ...answer }).then(() => (sending.current = false));
  };
}

const ofKind = (options: readonly PermissionOptionView[], kind: string): PermissionOptionView | undefined =>
  options.find((option) => option.kind === `${kind}_once`) ??
  options.find((option) => option.kind === `${kind}_always`);

function Head({ entry, index, count }: QuestionProps) {
  const { t } = usePage();
  return (
    <div class="ask-title">
      <Icon name="shield" />
      <span class="grow">{t(questionOf(entry))}</span>
      {count > 1 && <span class="ask-number dim nums">{t('questionNumber', index + 1, count)}</span>}
    </div>
  );
}

/** What is open below the answers. */
type Extra = 'reason' | 'always';

interface MoreProps {
  permission: PermissionView;
  extra: Extra | undefined;
  open: (extra: Extra | undefined) => void;
  answer: (answer: Answer) => void;
}

/** The ways to answer that Parley adds to those of the agent. */
function More({ permission, extra, open, answer }: MoreProps) {
  const { t } = usePage();
  const foot = useRef<HTMLDivElement>(null);
  const back = useRef<Extra>(undefined);
  useLayoutEffect(() => {
    if (extra === undefined && back.current !== undefined)
      foot.current?.querySelector<HTMLElement>(`[data-extra="${back.current}"]`)?.focus();
    back.current = extra;
  }, [extra]);
  const { options, offer = [] } = permission;
  const rejecting = ofKind(options, 'reject');
  const allowing = offer.length > 0 ? ofKind(options, 'allow') : undefined;
  if (extra === 'reason' && rejecting)
    return (
      <ReasonField
        send={(reason) => answer({ optionId: rejecting.optionId, reason })}
        back={() => open(undefined)}
      />
    );
  if (extra === 'always' && allowing)
    return (
      <AlwaysForm
        rules={offer}
        save={(keepAs) => answer({ optionId: allowing.optionId, keepAs })}
        back={() => open(undefined)}
      />
    );
  if (!rejecting && !allowing) return null;
  return (
    <div class="foot" ref={foot}>
      {rejecting && (
        <button type="button" data-extra="reason" onClick={() => open('reason')}>
          {t('rejectWithReason')}
        </button>
      )}
      {allowing && (
        <button type="button" data-extra="always" onClick={() => open('always')}>
          {t('always')}
        </button>
      )}
    </div>
  );
}

/** An open permission, with all that is known of what it would allow (PE-3, PE-6). */
export function QuestionCard(props: QuestionProps) {
  const { entry, permission, version, index, count } = props;
  const { t } = usePage();
  const card = useRef<HTMLDivElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  const [extra, setExtra] = useState<Extra>();
  const { ready, accepts } = useSteady(answers, `${index}`);
  const answer = useAnswer(card, permission.requestId);
  const choose = (option: PermissionOptionView | undefined): void => {
    if (option && accepts()) answer({ optionId: option.optionId });
  };
  return (
    <div
      class="ask card asks"
      data-permission={permission.requestId}
      data-permission-for={entry.toolCallId}
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={
        count > 1 ? `${t(questionOf(entry))} ${t('questionNumber', index + 1, count)}` : t(questionOf(entry))
      }
      onKeyDown={(event) => answerByKey(event, (at) => choose(permission.options[at]))}
    >
      <Head {...props} />
      <Reading entry={entry} permission={permission} version={version} />
      <div class="ask-answers" ref={answers}>
        <Options options={permission.options} ready={ready} choose={choose} />
        <More permission={permission} extra={extra} open={setExtra} answer={answer} />
      </div>
    </div>
  );
}
