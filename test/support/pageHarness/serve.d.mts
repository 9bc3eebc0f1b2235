/** What the launch of a browser takes. */
export const chromium: { executablePath: string; args: string[] };
export const pageEntries: Record<string, string>;
export function serve(entries: Record<string, string>): Promise<{ url: string; close(): void }>;
