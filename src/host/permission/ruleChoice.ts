import type { Decision } from '../../core/permission/rules';
import type { OptionKind, PermissionOptionView } from '../../core/session/state';

/**
 * The option that a decision of rules chooses; undefined where the person is to be asked. `allow_always` is taken only if each rule says
 * so (PE-10): what an agent remembers goes beyond the rule. A denial never becomes `cancelled`, which agents take for the end of the turn
 * (PE-9).
 */
export function optionByRule(
  { effect, rules }: Decision,
  options: readonly PermissionOptionView[],
): string | undefined {
  // No rule, no answer.
  if (effect === 'ask' || rules.length === 0) return undefined;
  const find = (kind: OptionKind): string | undefined =>
    options.find((option) => option.kind === kind)?.optionId;
  if (effect === 'deny') return find('reject_once') ?? find('reject_always');
  const always = rules.every(({ rule }) => rule.always === true);
  return (always ? find('allow_always') : undefined) ?? find('allow_once');
}
