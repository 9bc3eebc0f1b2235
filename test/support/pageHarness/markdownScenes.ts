import type { SessionAction, SessionUpdate } from '../../../src/core/session/actions';
import { NO_ABILITIES } from '../../../src/core/session/state';
import type { Scene } from './scenes';

const update = (change: SessionUpdate, at: number): SessionAction => ({ type: 'update', update: change, at });

/** What the agent says next. */
export const says = (value: string, at = 0): SessionAction =>
  update({ kind: 'chunk', role: 'agent', block: { type: 'text', text: value } }, at);

const opened = (now: number): SessionAction[] => [
  { type: 'connectionChanged', status: 'ready', at: now },
  { type: 'agentIntroduced', title: 'Copilot', authMethods: [], abilities: NO_ABILITIES },
  { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config: [], fresh: true },
  { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'Explain the checkout' }], at: now - 5_000 },
];

const drawings = `The order of requests, from src/checkout.ts:41 and \`src/cart/total.ts\`:

\`\`\`mermaid
flowchart LR
  A[Cart] --> B{In stock?}
  B -->|yes| C[(Order)]
  B -->|no| D[Notify]
  style C fill:#f96,stroke:#333
\`\`\`

The total of $n$ items is \\(t = \\sum_{i=1}^{n} p_i q_i\\), which costs $5 or $10 to ship, so

$$
\\bar{t} = \\frac{1}{n} \\sum_{i=1}^{n} p_i q_i
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}
$$

- [x] Read the [checkout](src/checkout.ts#L41)
- [ ] Change \`total\` for $q_i = 0$

![The cart](docs/cart.png)

\`\`\`mermaid
sequenceDiagram
  Cart->>Stock: reserve
  Stock-->>Cart: ok
  Note over Cart,Stock: one hour
\`\`\`
`;

/** Scenes of messages with formulas, diagrams and pictures. */
export const markdownScenes: Readonly<Record<string, Scene>> = {
  drawings: (now) => [
    ...opened(now),
    says(drawings, now - 4_000),
    { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: now - 1_000 },
  ],
  /** The agent has just begun to answer. */
  answering: (now) => opened(now),
};
