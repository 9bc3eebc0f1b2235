export const lastWords: string;
export function sampleChunks(count: number, first?: string): string[];
