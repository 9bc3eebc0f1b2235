/** Names a part of the state that an action changed, so that a view renders nothing else. */
export type Touched =
  | 'entries'
  | 'turn'
  | 'queue'
  | 'plan'
  | 'config'
  | 'commands'
  | 'usage'
  | 'title'
  | 'connection'
  | 'banner'
  | 'agent'
  | 'changes'
  | `entry:${number}`
  | `terminal:${string}`;

export type Touch = (part: Touched) => void;
