/** How binding a duty is: must, must not, should, should not, may; W is a fact of the wire format, R a recommendation of our own. */
export type Level = 'M' | 'MN' | 'S' | 'SN' | 'm' | 'W' | 'R';

/** One duty of a client of the Agent Client Protocol, version 1. */
export interface Duty {
  id: string;
  /** Several, where one duty has parts. */
  levels: readonly Level[];
  /** A reminder of what it is about, not its text. */
  title: string;
}

// One line each: id, levels, reminder.
const TABLE = `
TR-1 W the agent is a child process, spoken to through its pipes
TR-2 M UTF-8 and JSON-RPC 2.0
TR-3 M,MN one message per line, no line end inside
TR-4 MN nothing but messages goes to the agent
TR-5 W,R noise on stdout is logged and skipped
TR-6 m,R stderr is always drained, its tail kept
TR-7 S,m,M stdio first; another transport keeps format and lifecycle
TR-8 W,R end: close stdin, wait, TERM, KILL, whole tree
TR-9 R the exit settles everything that was open, with a reason
TR-10 W no HTTP transport in version 1
TR-11 R split characters, CR LF, BOM, bounded lines
TR-12 W no batches
RP-1 M result or error to a request, nothing to a notification
RP-2 W,S,R the id comes back as it was
RP-3 W the error codes and their meaning
RP-4 S an error is said in one sentence
RP-5 M,R paths are absolute
RP-6 W lines count from 1
RP-7 R sign-in on -32000, then the request once more
RP-8 R a session that is not found is no longer live
RP-9 R the message of an error in front, its data apart
RP-10 W answers that nobody waits for are ignored
IN-1 M initialize comes first
IN-2 M the newest version that is spoken
IN-3 M only what is supported is announced
IN-4 S name and version of the client
IN-5 W,S another version: close and say so
IN-6 M the rules of the agreed version hold
IN-7 M,S what is left out or null is unsupported
IN-8 W the answer to initialize, read with defaults
IN-9 W objects mark support, booleans only by true
IN-10 W the title of the agent, else its name
IN-11 W initialize is called once
IN-12 R initialize has a time limit and races the exit
CC-1 S files are announced if they work
CC-2 S terminals are announced if all five calls work
CC-3 S sign-in terminals only for a program we start
CC-4 S switches are announced if they are shown
CC-5 S each mode of elicitation by its own member
CC-6 W notices and compaction are announced if they are shown
CC-7 m own capabilities in _meta
CC-8 R no files and terminals without trust or without a disk
AU-1 W the two kinds of ways to sign in
AU-2 W authenticate with an id that was offered
AU-3 MN a terminal way never goes through authenticate
AU-4 W after a sign-in sessions open
AU-5 R no sign-in before it is asked for
AU-6 W the sign-in terminal runs the agent's own program
AU-7 W with the arguments and variables of the way, no command of it
AU-8 W exit 0 alone is a success
AU-9 W,R then connect and introduce again, and repeat once
AU-10 MN no logout where it was not announced
AU-11 S after a logout sessions may ask for a sign-in
AU-12 R an unknown kind of sign-in is shown, not used
AU-13 R the older form of terminal sign-in
SE-1 M sessions after initialize
SE-2 W the request for a session is complete
SE-3 M the working folder is absolute
SE-4 W session ids are opaque, several on one connection
SE-5 R what comes before the answer to session/new is kept
SE-6 M,MN load only where it was announced
SE-7 M load names session, folder and servers
SE-8 W,R the replay fills an empty view
SE-9 R a replay makes no noise
SE-10 M,MN resume only where it was announced
SE-11 M,R resume names session, folder and servers; our transcript stays
SE-12 M,MN close only where it was announced
SE-13 W a close that fails alarms nobody
SE-14 R a prompt open at a close is settled here
SE-15 M,MN list only where it was announced
SE-16 M,R no cursor is the end; no endless paging
SE-17 M,MN cursors go back as they came
SE-18 MN folders of a listed session are not merged with others
SE-19 W a list only finds, it opens nothing
SE-20 M,MN,R delete only where it was announced
SE-21 M further folders only where they were announced
SE-22 M further folders are absolute
SE-23 W all further folders are sent again on load and resume
SE-24 W,S,M files stay inside the folders, links followed, in doubt refused
SE-25 M,S only folders that the person opened, each once
SE-26 W folders do not change within a session
MC-1 m MCP servers are offered
MC-2 W the form of a stdio server
MC-3 W the forms of http and sse servers
MC-4 M http and sse only where they were announced
MC-5 m a server of our own
MC-6 R absolute commands, no secrets in logs, trust
PT-1 M a prompt needs a connection and a session
PT-2 W a prompt has no time limit
PT-3 M only blocks that the agent takes, and only their buttons
PT-4 W text and links always
PT-5 m context as resource or link
PT-6 W a turn lasts until its answer
PT-7 R one prompt at a time per session
PT-8 W,R the reasons for an end, also unknown ones
PT-9 W a refused prompt is marked as not remembered
PT-10 R limits say so and offer to continue
PT-11 R an error ends the turn, not the session
PT-12 W the next prompt in the same session
CO-1 W,S text, shown as Markdown
CO-2 W images
CO-3 W audio
CO-4 W embedded resources
CO-5 W links to resources
CO-6 W,R annotations; what is only for the model is folded
CO-7 W every kind of block is at least named
CO-8 R nothing active from an agent
SU-1 W updates name their session
SU-2 W all kinds of updates
SU-3 R an unknown kind harms nothing
SU-4 W malformed parts are left out alone
SU-5 R updates outside a turn
SU-6 R updates before the session is known or after it is gone
SU-7 R the order of the wire, and the turn ends last
SU-8 W updates of several sessions interleave
MI-1 W message ids, or neighbours of one kind
MI-2 W,R no echo of our own prompt
MI-3 W,R thoughts apart, folded
TC-1 W the fields of a call and their defaults
TC-2 W the kinds of calls
TC-3 W the four statuses
TC-4 W an update changes only what it names; lists are replaced
TC-5 W ids are unique in a session
TC-6 R unknown and repeated calls are taken
TC-7 W content, diff and terminal
TC-8 W,R places in files
TC-9 W raw input and output
TC-10 R a final word of the wire wins
DI-1 W old and new text; no old text is a new file
DI-2 R shown in the diff editor
DI-3 W a diff changes nothing
DI-4 W an empty new text may be a deleted file
TE-1 W all five calls, only if announced
TE-2 W a command starts and is answered at once
TE-3 W many terminals, each with an id
TE-4 W output so far, with the exit once there is one
TE-5 W waiting for the exit, several at once
TE-6 W the tail of the output is kept
TE-7 M,R cut at a character
TE-8 W kill keeps the id
TE-9 W,R release ends it and frees the id
TE-10 W,S live output in the card, kept after release
TE-11 W,R embedded before release
TE-12 W,R variables are added; the folder of the session
TE-13 R nothing is left running
TE-14 W no time limit of ours
TE-15 W,R one stream, escapes kept, no pagers
TE-16 W,R an id counts in its session
TE-17 R a command is a risk that is shown
FS-1 W only if announced
FS-2 W reading, whole or by lines
FS-3 W unsaved text counts
FS-4 R exact lines for line and limit
FS-5 R beyond the end is an error
FS-6 R missing, folder, binary, too large
FS-7 W writing is answered by an object
FS-8 M,R a missing file is made
FS-9 W,R the whole text, through the editor where it is open
FS-10 R encoding and line ends stay
FS-11 M files outside the folders are refused, also through links
FS-12 R a bad line or limit is refused
FS-13 R an unknown session is refused
PE-1 W the question and its outcome
PE-2 W the option goes back by its id
PE-3 W the person is asked
PE-4 m settings may answer
PE-5 M a cancel answers every open question
PE-6 W the question brings news of the call
PE-7 W remembering is the agent's
PE-8 R several questions at once
PE-9 R closing a question decides nothing
PE-10 R no options, and once before always
PE-11 R nothing chosen beforehand
CA-1 m cancel by a notification
CA-2 W the turn ends with its answer
CA-3 M,R open questions are answered as cancelled
CA-4 S open calls are marked at once
CA-5 S late updates count
CA-6 R force stop; aborts after a cancel are cancels
CA-7 W taking a request back, both ways
CA-8 M,m a request taken back is answered by -32800
CA-9 W a request that is gone can not be taken back
CA-10 S our own stop is told as -32800
CA-11 W questions are answered before they are taken back
CA-12 m,R our own requests may be taken back
CA-13 m waiting for the answer after a cancel
MO-1 W the modes of a session
MO-2 W setting a mode
MO-3 W a mode set by the agent, by either name
MO-4 S options in place of modes
MO-5 W leaving plan mode by a question
CF-1 W the kinds of options
CF-2 S the order of the agent
CF-3 M,MN unknown and missing categories
CF-4 S the options of a model beside it
CF-5 S an unknown kind is left out
CF-6 W switches are sent as such
CF-7 W the answer is the complete list
CF-8 W the update is the complete list
CF-9 W,R at any time, taken back when refused
CF-10 R a value outside its list is shown as it is
SC-1 W the list of commands is replaced
SC-2 W a command is a prompt
SC-3 R names, hints, unknown commands
PL-1 W the entries of a plan
PL-2 M a plan replaces the one before
PL-3 R unknown priorities and statuses are kept
US-1 W usage replaces usage
US-2 R the steps of a full context
US-3 W currencies that are none
SI-1 W title and time, cleared by null
SI-2 W nothing else of a session changes so
NO-1 W notices are shown and end nothing
NO-2 W unknown severities, plain text
NO-3 W compaction by id
NO-4 W pieces of its summary
EL-1 W the question and its answer
EL-2 M who asks is clear; decline and cancel are both there
EL-3 S the message is shown
EL-4 W accept, decline, cancel
EL-5 W,MN,R unknown modes and fields are refused, never guessed
EL-6 W questions without a session
EL-7 R cancels and withdrawals
EL-10 M answers can be changed before they are sent
EL-11 S answers are checked
EL-12 S defaults are filled in
EL-13 W the kinds of fields
EL-14 R patterns can not hang us
EL-15 W,R no secrets in forms, none kept
EL-16 SN no links in forms
EL-20 W accepting a page is not its end
EL-21 M the host is shown and consent asked
EL-22 M,MN the whole address first, nothing fetched before
EL-23 M the page opens outside, in the browser
EL-24 S,R suspicious addresses are told
EL-25 SN only the address is a link
EL-26 W,M,R completion by id, unknown ids ignored
EX-1 W,MN nothing is assumed of _meta
EX-2 MN no members of our own beside the protocol's
EX-3 S names for traces are left alone
EX-4 m,M own methods begin with _; unknown ones get -32601
EX-5 S unknown notifications are ignored
EX-6 S extensions are announced and looked up first
EX-7 R _meta is kept, never shown as HTML
`;

/** Every duty of a client, in the order of the checklist. */
export const DUTIES: readonly Duty[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [id = '', levels = '', ...title] = line.split(' ');
    return { id, levels: levels.split(',') as Level[], title: title.join(' ') };
  });

/** True for what must be done or must not be done. */
export const isMust = ({ levels }: Duty): boolean => levels.includes('M') || levels.includes('MN');
