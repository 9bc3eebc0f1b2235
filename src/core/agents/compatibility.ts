/** Named switches for habits of agents that can't be met in general. */
export interface Compatibility {
  /** A missing file reads as empty text instead of -32002. */
  missingFileIsEmpty: boolean;
  /** A change of the mode comes as a message, `[MODE_UPDATE] id`, and not as an update. */
  modeInMessages: boolean;
  /** What the agent itself has to say comes as a message of the model, `Info: …`, `Warning: …` or `Error: …`. */
  noticesInMessages: boolean;
}

/** Versions as dotted numbers: `from` is the first one, `below` the first one without the habit. */
export interface VersionRange {
  from?: string;
  below?: string;
}

/** What is known of an agent in a range of its versions. */
export interface CompatibilityRow {
  /** `agentInfo.name`. */
  name: string;
  /** Empty where no version without the habit is known. */
  versions: VersionRange;
  switches: Partial<Compatibility>;
  reason: string;
}

/** All that Parley does for an agent by its name; each row has a test in test/unit/core/agents/compatibility.test.ts. */
export const COMPATIBILITY_ROWS: readonly CompatibilityRow[] = [
  {
    name: 'gemini-cli',
    versions: {},
    switches: { missingFileIsEmpty: true },
    reason:
      'Reads a file that it is about to create and gives up on any error answer, so it could never create one (seen in 0.61.0).',
  },
  {
    name: 'gemini-cli',
    versions: {},
    switches: { modeInMessages: true },
    reason:
      'Tells a changed mode by nothing else; as a message it would stand in the transcript, and the control would show the old mode (seen in 0.61.0).',
  },
  {
    name: 'Copilot',
    versions: {},
    switches: { noticesInMessages: true },
    reason:
      'Says in the middle of an answer, without an id, that it tries again, that a request failed or that a person rejected; it ran on from the last word of the model (seen in 1.0.102).',
  },
];

/** Below 0 where `one` is the earlier version; a part that is no number counts as 0, and what follows `-` or `+` or a blank is left out. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) =>
    (/^v?([^-+\s]*)/.exec(version)?.[1] ?? '').split('.').map((part) => Number(part) || 0),
  ) as [number[], number[]];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True for a version of the range; one that does not say what it is belongs to every range. */
export function isInRange(version: string | undefined, { from, below }: VersionRange): boolean {
  if (version === undefined || !/\d/.test(version)) return true;
  if (from !== undefined && compareVersions(version, from) < 0) return false;
  return below === undefined || compareVersions(version, below) < 0;
}

/** What is known of an agent by the name and the version that it gives in `initialize`; nothing for most. */
export function compatibilityOf(
  agent: { name?: string; version?: string },
  rows: readonly CompatibilityRow[] = COMPATIBILITY_ROWS,
): Compatibility {
  const none: Compatibility = {
    missingFileIsEmpty: false,
    modeInMessages: false,
    noticesInMessages: false,
  };
  return rows
    .filter(({ name, versions }) => name === agent.name && isInRange(agent.version, versions))
    .reduce((found, row) => ({ ...found, ...row.switches }), none);
}
