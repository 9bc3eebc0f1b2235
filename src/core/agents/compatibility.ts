/** Named switches for habits of agents that can't be met in general. */
export interface Compatibility {
  /** A missing file reads as empty text instead of -32002. */
  missingFileIsEmpty: boolean;
}

interface Row {
  /** `agentInfo.name`. */
  name: string;
  switches: Partial<Compatibility>;
  reason: string;
}

const ROWS: readonly Row[] = [
  {
    name: 'gemini-cli',
    switches: { missingFileIsEmpty: true },
    reason:
      'Reads a file that it is about to create and gives up on any error answer, so it could never create one.',
  },
];

/** What is known of an agent by the name it gives in `initialize`; nothing for most. */
export function compatibilityOf(agentName: string | undefined): Compatibility {
  const none: Compatibility = { missingFileIsEmpty: false };
  return ROWS.filter((row) => row.name === agentName).reduce(
    (found, row) => ({ ...found, ...row.switches }),
    none,
  );
}
