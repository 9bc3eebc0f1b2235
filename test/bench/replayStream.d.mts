export function replayLines(count: number): Generator<string, void>;
