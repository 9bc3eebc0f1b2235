/** The name of a program without its folder and `.exe`, in small letters: `/bin/rm` and `RM.EXE` give `rm`. */
export function baseName(program: string): string {
  return (program.split(/[\\/]/).pop() ?? '').toLowerCase().replace(/\.(exe|cmd|bat|com|ps1)$/, '');
}
