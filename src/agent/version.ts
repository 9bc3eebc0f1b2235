/** The version that the agent gives of itself. */
export const AGENT_VERSION = '0.1.0';
