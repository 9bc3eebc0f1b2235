import { Icon } from '../transcript/icon';

interface ActionButtonProps {
  icon: string;
  /** Read out and shown as a hint. */
  label: string;
  /** Shown beside the icon where there is room; has to be a part of the label. */
  text?: string;
  onPress: () => void;
  /** Why it can't be pressed now; it stays reachable, so that the reason can be read. */
  reason?: string | undefined;
  /** A further class. */
  look?: string;
  /** False takes it out of the order of Tab. */
  reachable?: boolean;
}

/** A button with an icon that says why it is disabled. */
export function ActionButton(props: ActionButtonProps) {
  const { icon, label, text, onPress, reason, look = '', reachable = true } = props;
  const disabled = reason !== undefined;
  return (
    <button
      type="button"
      class={look}
      aria-label={label}
      aria-disabled={disabled}
      title={disabled ? `${label}: ${reason}` : label}
      tabIndex={reachable ? 0 : -1}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <Icon name={icon} />
      {text !== undefined && <span class="action-text">{text}</span>}
    </button>
  );
}
