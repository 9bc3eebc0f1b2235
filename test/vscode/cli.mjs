/**
 * Run a program's main function: an error ends it with its message alone, as far as the message says what to do.
 * @param {() => Promise<number | void>} main gives the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error?.name === 'SetupError' ? `\n${error.message}` : error);
    process.exit(1);
  }
}
