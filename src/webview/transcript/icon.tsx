/** A codicon; decoration unless it has a label. */
export function Icon({ name, label, tone }: { name: string; label?: string; tone?: string }) {
  const className = `codicon codicon-${name}${tone ? ` ${tone}` : ''}`;
  return label ? (
    <i class={className} role="img" aria-label={label} title={label} />
  ) : (
    <i class={className} aria-hidden="true" />
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
