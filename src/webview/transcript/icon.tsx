/** A codicon; decoration unless it has a label. */
export function Icon({ name, label, tone }: { name: string; label?: string; tone?: string }) {
  const className = `codicon codicon-${name}${tone ? ` ${tone}` : ''}`;
  return label ? (
    <i class={className} role="img" aria-label={label} title={label} />
  ) : (
    <i class={className} aria-hidden="true" />
  );
}

interface IconButtonProps {
  icon: string;
  label: string;
  onPress: () => void;
  disabled?: boolean;
  /** A further class. */
  look?: string;
}

/** A button that shows only an icon; its label is read out and shown as a hint. */
export function IconButton({ icon, label, onPress, disabled = false, look = '' }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon ${look}`.trim()}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A chevron that tells whether something is open. */
export function Chevron({ open }: { open: boolean }) {
  return <i class={`codicon codicon-chevron-right chevron${open ? ' open' : ''}`} aria-hidden="true" />;
}

/** A text in one line that loses its middle where it does not fit. */
export function Cut({ parts, title }: { parts: [string, string]; title?: string }) {
  return (
    <span class="cut-middle" title={title}>
      <span class="cut-head">{parts[0]}</span>
      {parts[1] && <span class="cut-tail">{parts[1]}</span>}
    </span>
  );
}
