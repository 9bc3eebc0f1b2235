/** Something that a person added to a prompt; `toContentBlocks` decides in which form the agent gets it. */
export type Attachment =
  | { kind: 'file'; path: string; name: string }
  | { kind: 'folder'; path: string; name: string }
  /** Text that stands in no file, such as the problems of the workspace. */
  | { kind: 'text'; name: string; text: string }
  /** Lines of a file as they stand in the editor; both 1-based and inclusive. */
  | { kind: 'selection'; path: string; name: string; fromLine: number; toLine: number; text: string }
  /** `data` is base64. */
  | { kind: 'image'; name: string; mimeType: string; data: string }
  | { kind: 'audio'; name: string; mimeType: string; data: string };
